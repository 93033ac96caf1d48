//! Standalone HTML documents: a single file, no network access, and a policy that forbids all external content.

/// Escapes text for use inside an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The parts of a document. Only the title is escaped when the document is written.
pub struct Document<'a> {
    pub title: &'a str,
    /// The Content-Security-Policy.
    pub policy: &'a str,
    pub style: &'a str,
    pub body: &'a str,
    /// A JavaScript module without imports, which runs after the document has been parsed.
    pub script: &'a str,
}

impl Document<'_> {
    pub fn html(&self) -> String {
        let Document { policy, style, body, script, .. } = self;
        let title = escape(self.title);
        let script = if script.is_empty() { String::new() } else { format!("<script type=\"module\">{script}</script>\n") };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}{script}</body>\n</html>\n"
        )
    }
}
