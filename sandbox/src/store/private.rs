//! The mode of a database file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates the file of a database, readable for its owner only: it will have hashes of secrets and
/// private keys. The same holds for one that exists, and for the two files that SQLite adds to it with
/// the mode of the first.
pub(super) fn create(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    restrict(&options.open(file)?, file);
    for suffix in ["-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        if let Ok(opened) = File::open(&name) {
            restrict(&opened, Path::new(&name));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn restrict(opened: &File, file: &Path) {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    let is_private = |mode: u32| mode & 0o077 == 0;
    let restricted =
        opened
            .metadata()
            .and_then(|metadata| match is_private(metadata.permissions().mode()) {
                true => Ok(()),
                false => opened.set_permissions(Permissions::from_mode(0o600)),
            });
    if let Err(error) = restricted {
        let file = file.display();
        tracing::warn!(%error, %file, "other users may read the database: change the mode of the file to 600");
    }
}

#[cfg(not(unix))]
const fn restrict(_: &File, _: &Path) {}
