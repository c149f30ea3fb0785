//! A PostgreSQL of one's own: from Debian's packages, in a temporary folder, reached by a socket in
//! that folder, gone when it is dropped.

use bothends_delivery::Clock;
use bothends_delivery::postgres::PostgresStore;
use bothends_test_environment::skipped;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;
use tokio_postgres::{Config, NoTls};

pub struct Postgres {
    folder: TempDir,
    bin: PathBuf,
    databases: AtomicU32,
    /// A disk of its own for a database, while it is there.
    disk: OnceLock<PathBuf>,
}

impl Postgres {
    /// A running server, or nothing (and a line that says so) where none is installed.
    pub fn start(test: &str) -> Option<Self> {
        Self::start_with(test, "-c fsync=off")
    }

    pub fn start_with(test: &str, options: &str) -> Option<Self> {
        let Some(bin) = newest() else {
            let missing = "no initdb in /usr/lib/postgresql/*/bin";
            skipped(test, missing, "install Debian's package postgresql");
            return None;
        };
        let folder = TempDir::new().unwrap();
        if root() {
            run(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let server = Self {
            folder,
            bin,
            databases: AtomicU32::new(0),
            disk: OnceLock::new(),
        };
        let data = server.data();
        run(server
            .command("initdb")
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=postgres",
                "--encoding=UTF8",
            ])
            .args(["--locale=C", "--pgdata"])
            .arg(&data));
        let socket = server.folder.path().display();
        let settings =
            format!("-c listen_addresses= -c unix_socket_directories={socket} {options}");
        std::fs::write(server.folder.path().join("options"), settings).unwrap();
        server.pg_ctl("start");
        Some(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What the server wrote to its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Runs `pg_ctl start` or `pg_ctl stop`, and waits until it is done.
    pub fn pg_ctl(&self, what: &str) {
        let options = std::fs::read_to_string(self.folder.path().join("options")).unwrap();
        let mut command = self.command("pg_ctl");
        command.arg("--pgdata").arg(self.data()).arg("--wait");
        command.arg("--log").arg(self.folder.path().join("log"));
        if what == "start" {
            command.args(["--options", &options]);
        } else {
            command.args(["--mode", "immediate"]);
        }
        run(command.arg(what));
    }

    /// A command of PostgreSQL's, which does not run as root.
    fn command(&self, name: &str) -> Command {
        let program = self.bin.join(name);
        let mut command = if root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }

    fn config_of(&self, database: &str) -> Config {
        let mut config = Config::new();
        config
            .host_path(self.folder.path())
            .user("postgres")
            .dbname(database);
        config
    }

    /// How to connect to a database that nobody has used yet.
    pub async fn database(&self) -> Config {
        self.create("").await
    }

    async fn create(&self, options: &str) -> Config {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE DATABASE {name} {options}"))
            .await;
        self.config_of(&name)
    }

    async fn execute(&self, sql: &str) {
        let (client, connection) = self.config_of("postgres").connect(NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    }

    /// A database on a disk of 16 MB, or nothing (and a line that says so) where no disk can be
    /// mounted. What the server writes besides is elsewhere.
    pub async fn small_database(&self, test: &str) -> Option<Config> {
        let disk = self.folder.path().join("disk");
        std::fs::create_dir(&disk).unwrap();
        if !root() || !tmpfs("size=16m", &disk) {
            skipped(test, "no disk can be mounted", "run the test as root");
            return None;
        }
        let _ = self.disk.set(disk.clone());
        run(Command::new("chown").arg("postgres").arg(&disk));
        let location = disk.display();
        self.execute(&format!("CREATE TABLESPACE small LOCATION '{location}'"))
            .await;
        Some(self.create("TABLESPACE small").await)
    }

    /// Makes the disk of the small database larger.
    pub fn more_room(&self) {
        let disk = self.disk.get().unwrap();
        assert!(tmpfs("remount,size=256m", disk));
    }

    /// A store in a database of its own, with this clock.
    pub async fn store_with(&self, clock: impl Clock) -> PostgresStore {
        PostgresStore::connect_with_clock(self.database().await, NoTls, clock)
            .await
            .unwrap()
    }

    /// A store in a database of its own.
    pub async fn store(&self) -> PostgresStore {
        PostgresStore::connect(self.database().await, NoTls)
            .await
            .unwrap()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut command = self.command("pg_ctl");
        command
            .arg("--pgdata")
            .arg(self.data())
            .args(["--mode", "immediate", "--wait", "stop"]);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if let Some(disk) = self.disk.get() {
            let _ = Command::new("umount").arg(disk).status();
        }
    }
}

/// Mounts memory as a disk; `false` where that may not be done.
fn tmpfs(options: &str, on: &Path) -> bool {
    let mut command = Command::new("mount");
    command
        .args(["-t", "tmpfs", "-o", options, "tmpfs"])
        .arg(on);
    let mounted = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    mounted.is_ok_and(|status| status.success())
}

fn newest() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let bins = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    let mut bins: Vec<PathBuf> = bins.filter(|bin| bin.join("initdb").exists()).collect();
    let version = |bin: &PathBuf| -> Option<u32> {
        bin.parent()
            .and_then(Path::file_name)?
            .to_str()?
            .parse()
            .ok()
    };
    bins.sort_by_key(version);
    bins.pop()
}

fn root() -> bool {
    rustix::process::geteuid().is_root()
}

fn run(command: &mut Command) {
    // The server keeps what it inherits open, so it may not be given a pipe that is waited for.
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
