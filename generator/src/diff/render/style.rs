//! The style of pages of HTML. Colours have a contrast of 4.5 to 1 at least, and every level is also
//! a word.

/// A style sheet without characters that XML escapes.
pub(super) const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8886; --breaking: #b00020; --attention: #8a5a00; --safe: #1a6b32; }
@media (prefers-color-scheme: dark) { :root { --breaking: #ff8a8a; --attention: #f0c060; --safe: #7fd396; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; font-weight: bold; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
article { border-left: .3rem solid var(--line); padding-left: 1rem; margin: 2.5rem 0; }
h2 { margin: 0; }
h3 { font-size: 1rem; margin: .5rem 0 0; }
summary { cursor: pointer; }
ul { list-style: none; padding-left: 1rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; margin: .3rem 0 .8rem 1rem; }
dd { margin: 0; }
.breaking { color: var(--breaking); font-weight: bold; }
.attention { color: var(--attention); font-weight: bold; }
.safe { color: var(--safe); }
.none { opacity: .6; }
.tag { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .3rem; }
";
