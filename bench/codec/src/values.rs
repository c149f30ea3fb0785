//! The types of Rust.
use crate::rules::{Checker, Rule};
use crate::tree::Node;
use crate::{Failed, Map, Reader, Value, Writer};
use std::borrow::Cow;

const OUT_OF_RANGE: &str = "is a number that is out of range";

impl<'a> Reader<'a> {
    /// Reads a string.
    #[inline]
    pub fn str(&mut self) -> Result<Cow<'a, str>, Failed> {
        if self.node.is_some() {
            return self.tree_str();
        }
        match self.peek() {
            b'"' => self.quoted(),
            _ => Err(self.wrong("a string")),
        }
    }

    #[cold]
    #[inline(never)]
    fn tree_str(&mut self) -> Result<Cow<'a, str>, Failed> {
        match self.node {
            Some(Node::Text(text)) => Ok(Cow::Borrowed(text)),
            _ => Err(self.wrong("a string")),
        }
    }

    #[inline]
    fn int(&mut self) -> Result<(bool, u64), Failed> {
        if self.node.is_some() {
            return self.tree_int();
        }
        match self.peek() {
            b'-' | b'0'..=b'9' => match self.integer()? {
                Some(found) => Ok(found),
                None => Err(self.fail("must be an integer in range")),
            },
            _ => Err(self.wrong("an integer")),
        }
    }

    #[cold]
    #[inline(never)]
    fn tree_int(&mut self) -> Result<(bool, u64), Failed> {
        let value = match self.node {
            Some(Node::Integer(value)) => Some(*value),
            Some(Node::Float(value)) if value.fract() == 0.0 => Some(*value as i128),
            Some(Node::Text(text)) if self.is_text => text.parse().ok(),
            _ => None,
        };
        match value.and_then(|v| Some((v < 0, u64::try_from(v.abs()).ok()?))) {
            Some(found) => Ok(found),
            None => Err(self.wrong("an integer")),
        }
    }

    #[cold]
    #[inline(never)]
    fn tree_float(&mut self) -> Result<f64, Failed> {
        let value = match self.node {
            Some(Node::Integer(value)) => Some(*value as f64),
            Some(Node::Float(value)) => Some(*value),
            Some(Node::Text(text)) if self.is_text => text.parse().ok(),
            _ => None,
        };
        match value {
            Some(found) => Ok(found),
            None => Err(self.wrong("a number")),
        }
    }

    #[cold]
    #[inline(never)]
    fn tree_bool(&mut self) -> Result<bool, Failed> {
        match self.node {
            Some(Node::Bool(value)) => Ok(*value),
            Some(Node::Text(text)) if self.is_text && text == "true" => Ok(true),
            Some(Node::Text(text)) if self.is_text && text == "false" => Ok(false),
            _ => Err(self.wrong("a boolean")),
        }
    }

    /// Consumes a null, if the value is one.
    #[inline]
    pub fn takes_null(&mut self) -> Result<bool, Failed> {
        if let Some(node) = self.node {
            return Ok(*node == Node::Null);
        }
        match self.peek() {
            b'n' => self.literal(b"null").map(|()| true),
            _ => Ok(false),
        }
    }
}

impl Value for String {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        reader.str().map(Cow::into_owned)
    }
    #[inline]
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        writer.text(self);
        Ok(())
    }
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        for rule in rules {
            match rule {
                Rule::MaxLength(n) if self.chars().count() > *n => {
                    checker.fail(format!("must have at most {n} characters"))
                }
                Rule::MinLength(n) if self.chars().count() < *n => {
                    checker.fail(format!("must have at least {n} characters"))
                }
                _ => {}
            }
        }
    }
}

impl Value for bool {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        if reader.node.is_some() {
            return reader.tree_bool();
        }
        match reader.peek() {
            b't' => reader.literal(b"true").map(|()| true),
            b'f' => reader.literal(b"false").map(|()| false),
            _ => Err(reader.wrong("a boolean")),
        }
    }
    #[inline]
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        writer
            .out
            .extend_from_slice(if *self { b"true" } else { b"false" });
        Ok(())
    }
}

macro_rules! integers {
    ($($Type:ty)*) => {
        $(impl Value for $Type {
            #[inline]
            fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
                let (is_negative, value) = reader.int()?;
                let value = if is_negative { -i128::from(value) } else { i128::from(value) };
                match Self::try_from(value) {
                    Ok(value) => Ok(value),
                    Err(_) => Err(reader.fail(OUT_OF_RANGE)),
                }
            }
            #[inline]
            fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
                writer.out.extend_from_slice(itoa::Buffer::new().format(*self).as_bytes());
                Ok(())
            }
            fn check(&self, rules: &[Rule], checker: &mut Checker) {
                for rule in rules {
                    if let Rule::Minimum(n) = rule && i128::from(*self) < i128::from(*n) {
                        checker.fail(format!("must be at least {n}"));
                    }
                }
            }
        })*
    };
}
integers!(i32 i64 u32 u64);

impl Value for f64 {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        if reader.node.is_some() {
            return reader.tree_float();
        }
        match reader.peek() {
            b'-' | b'0'..=b'9' => reader.float(),
            _ => Err(reader.wrong("a number")),
        }
    }
    #[inline]
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        writer.float(*self)
    }
}

impl<T: Value> Value for Box<T> {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        T::read(reader).map(Box::new)
    }
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        (**self).write(writer)
    }
}

impl<T: Value> Value for Option<T> {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        match reader.takes_null()? {
            true => Ok(None),
            false => T::read(reader).map(Some),
        }
    }
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        match self {
            Some(value) => value.write(writer),
            None => {
                writer.out.extend_from_slice(b"null");
                Ok(())
            }
        }
    }
    fn null() -> Option<Self> {
        Some(None)
    }
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        if let Some(value) = self {
            value.check(rules, checker);
        }
    }
}

impl<T: Value> Value for Vec<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        if let Some(node) = reader.node {
            return tree_list(reader, node);
        }
        if reader.peek() != b'[' {
            return Err(reader.wrong("an array"));
        }
        reader.enter()?;
        reader.at += 1;
        let mut items = Vec::new();
        if reader.peek() == b']' {
            reader.at += 1;
            reader.leave();
            return Ok(items);
        }
        let depth = reader.depth;
        let mut index = 0;
        let mut is_spoilt = false;
        loop {
            let (mark, start) = (reader.mark(), reader.at);
            match T::read(reader) {
                Ok(item) => items.push(item),
                Err(Failed) => {
                    reader.recover(mark, (start, depth), || index.to_string())?;
                    is_spoilt = true;
                }
            }
            index += 1;
            if !reader.more(b']')? {
                reader.leave();
                return if is_spoilt { Err(Failed) } else { Ok(items) };
            }
        }
    }
    fn write(&self, writer: &mut Writer) -> Result<(), Failed> {
        let start = writer.out.len();
        for (index, item) in self.iter().enumerate() {
            writer.out.push(b',');
            if item.write(writer).is_err() {
                return Err(writer.step(&index.to_string()));
            }
        }
        writer.close(start, b'[', b']');
        Ok(())
    }
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        for rule in rules {
            if let Rule::MaxItems(n) = rule
                && self.len() > *n
            {
                checker.fail(format!("must have at most {n} items"));
            }
        }
        for (index, item) in self.iter().enumerate() {
            let mark = checker.errors.len();
            item.check(&[], checker);
            for error in checker.errors.iter_mut().skip(mark) {
                error.path.push(index.to_string());
            }
        }
    }
}

fn tree_list<T: Value>(reader: &mut Reader<'_>, node: &Node) -> Result<Vec<T>, Failed> {
    // The lifetime of the node is that of the reader's tree.
    let Node::List(nodes) = node else {
        return Err(reader.wrong("an array"));
    };
    let (list, depth) = (reader.node, reader.depth);
    let mut items = Vec::with_capacity(nodes.len());
    let mut is_spoilt = false;
    for index in 0..nodes.len() {
        let Some(Node::List(nodes)) = list else { break };
        reader.node = nodes.get(index);
        let mark = reader.mark();
        match T::read(reader) {
            Ok(item) => items.push(item),
            Err(Failed) => {
                reader.recover(mark, (0, depth), || index.to_string())?;
                is_spoilt = true;
            }
        }
    }
    reader.node = list;
    if is_spoilt { Err(Failed) } else { Ok(items) }
}

impl Reader<'_> {
    /// Adds the step of an invalid value to its errors, and skips the value if reading continues.
    #[cold]
    #[inline(never)]
    pub(crate) fn recover(
        &mut self,
        mark: usize,
        (start, depth): (usize, u32),
        step: impl Fn() -> String,
    ) -> Result<(), Failed> {
        self.step(mark, &step());
        if !self.goes_on || self.is_broken || self.mark() > 50 {
            return Err(Failed);
        }
        self.depth = depth;
        if self.node.is_none() {
            self.at = start;
            self.skip()?;
        }
        Ok(())
    }
    pub(crate) fn forget(&mut self, mark: usize) {
        while self.mark() > mark {
            self.pop();
        }
    }
}

impl<T: Value> crate::object::Rest for Map<T> {
    fn put(&mut self, key: String, reader: &mut Reader<'_>) -> Result<(), Failed> {
        let value = T::read(reader)?;
        self.insert(key, value);
        Ok(())
    }
}
