//! The overlays of a document while its files are read.

use std::path::{Path, PathBuf};

use super::{Load, cannot_read};
use crate::diagnostic::{Diagnostics, codes};
use crate::position::{FileId, Origin, Pointer};
use crate::source::overlay::{Budget, Document, Overlay, Overlays, apply, read};
use crate::source::{LoadError, percent_decode};

/// The overlays of a load.
#[derive(Debug, Default)]
pub(super) struct Pending {
    overlays: Vec<Directed>,
    budget: Budget,
    lenient: bool,
}

/// An overlay and the file that it changes.
#[derive(Debug)]
struct Directed {
    overlay: Overlay,
    /// The canonical path.
    document: PathBuf,
    applied: bool,
}

impl Load<'_> {
    /// Reads the overlays of a document, given its canonical path. Returns `None` if one of them
    /// cannot be read.
    pub(super) fn read_overlays(
        &mut self,
        overlays: &Overlays<'_>,
        root: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Option<()> {
        self.pending.lenient = overlays.lenient;
        for path in overlays.files {
            let canonical = overlays.loader.canonical(path);
            let limit = self.limits.file_bytes;
            let bytes = canonical.and_then(|it| overlays.loader.read(&it, limit));
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(LoadError::NotFound) if overlays.lenient => continue,
                Err(error) => {
                    let message = cannot_read(path, &error);
                    diagnostics.report_general(codes::FILE_UNREADABLE, message);
                    return None;
                }
            };
            let (file, found) = match self.take(path, bytes, false) {
                Ok(taken) => taken,
                Err(failure) => {
                    failure.report(diagnostics);
                    return None;
                }
            };
            diagnostics.absorb(&found);
            self.sources.add_overlay(file);
            // The value of an overlay is no part of the document.
            let value = self.values.get_mut(file.0 as usize).map(std::mem::take);
            let overlay = read(file, &value.unwrap_or_default(), diagnostics)?;
            let Some(document) = document_of(&overlay, path, overlays, root, diagnostics) else {
                continue;
            };
            self.pending.overlays.push(Directed {
                overlay,
                document,
                applied: false,
            });
        }
        Some(())
    }

    /// Applies the overlays of a file, given its canonical path. Returns `None` if they are too much
    /// work.
    pub(super) fn apply_overlays(
        &mut self,
        file: FileId,
        canonical: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Option<()> {
        let Pending {
            overlays,
            budget,
            lenient,
        } = &mut self.pending;
        let value = self.values.get_mut(file.0 as usize)?;
        for directed in overlays.iter_mut().filter(|it| it.document == canonical) {
            directed.applied = true;
            let document = Document {
                file,
                value: &mut *value,
                trace: self.sources.trace_mut(file),
            };
            apply(&directed.overlay, document, *lenient, budget, diagnostics)?;
        }
        Some(())
    }

    /// Reports overlays of files that are not part of the document.
    pub(super) fn finish_overlays(&self, diagnostics: &mut Diagnostics) {
        let unused = self.pending.overlays.iter().filter(|it| !it.applied);
        for directed in unused.filter(|_| !self.pending.lenient) {
            report_extends(&directed.overlay, diagnostics);
        }
    }
}

/// Returns the canonical path of the file that an overlay changes: the root document, unless
/// `extends` is the path of another file.
fn document_of(
    overlay: &Overlay,
    path: &Path,
    overlays: &Overlays<'_>,
    root: &Path,
    diagnostics: &mut Diagnostics,
) -> Option<PathBuf> {
    let Some(extends) = &overlay.extends else {
        return Some(root.to_path_buf());
    };
    let beside = path.parent().unwrap_or(Path::new(""));
    // As written, or percent-decoded, as in references.
    let ways = [extends.clone(), percent_decode(extends)].into_iter();
    let mut found = ways.filter_map(|it| overlays.loader.canonical(&beside.join(it)).ok());
    let Some(document) = found.next() else {
        if !overlays.lenient {
            report_extends(overlay, diagnostics);
        }
        return None;
    };
    let current = overlays.stands_for;
    let current = current.and_then(|path| overlays.loader.canonical(path).ok());
    let is_root = current.as_ref() == Some(&document);
    Some(if is_root {
        root.to_path_buf()
    } else {
        document
    })
}

fn report_extends(overlay: &Overlay, diagnostics: &mut Diagnostics) {
    let extends = overlay.extends.as_deref().unwrap_or_default();
    let message = format!("`{extends}` is not a file of the document");
    let place = Origin::new(overlay.file, Pointer::ROOT.child("extends"));
    diagnostics.report(codes::OVERLAY_DOCUMENT, &place, message);
}
