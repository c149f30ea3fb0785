//! Fenced blocks of a page.

/// A fenced block.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The slug of the heading above it.
    pub(crate) section: String,
    /// The first word behind the fence.
    pub(crate) language: String,
    /// The other words, separated by commas.
    pub(crate) flags: Vec<String>,
    /// The number of its first line in the page.
    pub(crate) line: usize,
    /// The text without the indentation of the fence.
    pub(crate) text: String,
    /// The code around it, from the comment `<!-- around` above.
    around: Option<String>,
}

impl Block {
    /// The file that the block is, if its first line is a comment with a path.
    pub(crate) fn file(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let (comment, endings): (&str, &[&str]) = match self.language.as_str() {
            "rust" => ("// ", &[".rs"]),
            "toml" => ("# ", &[".toml"]),
            "yaml" => ("# ", &[".yaml", ".yml"]),
            "python" => ("# ", &[".py"]),
            _ => return None,
        };
        let name = first.strip_prefix(comment)?;
        let is_file = endings.iter().any(|ending| name.ends_with(ending));
        (is_file && !name.contains(' ')).then_some(name)
    }

    /// Rust with the code around it. There, the line `// ALL` stands for the block, or `// FIRST` for its first
    /// paragraph and `// REST` for the others.
    pub(crate) fn rust(&self) -> String {
        let Some(around) = &self.around else {
            return self.text.clone();
        };
        let (first, rest) = self.text.split_once("\n\n").unwrap_or((&self.text, ""));
        let lines = around.lines().map(|line| match line {
            "// ALL" => self.text.as_str(),
            "// FIRST" => first,
            "// REST" => rest,
            _ => line,
        });
        lines.collect::<Vec<&str>>().join("\n") + "\n"
    }

    /// Whether it has lines that mdBook hides, and readers of the repository see.
    pub(crate) fn has_hidden_lines(&self) -> bool {
        let mut lines = self.text.lines();
        self.language == "rust" && lines.any(|line| line == "#" || line.starts_with("# "))
    }
}

/// The fenced blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut section = String::new();
    let mut open: Option<usize> = None;
    let (mut around, mut in_comment): (Option<String>, bool) = (None, false);
    for (number, line) in page.lines().enumerate() {
        let bare = line.trim_start();
        match open {
            Some(_) if bare == "```" => open = None,
            Some(indent) => {
                let block = blocks.last_mut().expect("an open block");
                block.text.push_str(line.get(indent..).unwrap_or_default());
                block.text.push('\n');
            }
            None if in_comment => match line {
                "-->" => in_comment = false,
                _ => around.get_or_insert_default().extend([line, "\n"]),
            },
            None if line == "<!-- around" => in_comment = true,
            None => {
                if let Some(info) = bare.strip_prefix("```") {
                    let mut words = info.split(',').map(|word| word.trim().to_owned());
                    open = Some(line.len() - bare.len());
                    blocks.push(Block {
                        section: section.clone(),
                        language: words.next().unwrap_or_default(),
                        flags: words.collect(),
                        line: number + 2,
                        text: String::new(),
                        around: around.take(),
                    });
                } else if let Some(heading) = heading(line) {
                    section = slug(heading);
                }
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The text of a heading.
pub(crate) fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then(|| text.strip_prefix(' '))?
}

/// The anchor of a heading, as mdBook and GitHub make it: `The client's calls` is `the-clients-calls`.
pub(crate) fn slug(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter_map(|char| match char {
        ' ' => Some('-'),
        '-' | '_' => Some(char),
        _ => char.is_alphanumeric().then_some(char),
    });
    kept.collect()
}
