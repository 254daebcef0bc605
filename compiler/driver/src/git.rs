//! Addresses of modules in Git: `git::https://host/repo.git//folder?ref=v1`, and the shorter forms that OpenTofu has.

/// A module in Git.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GitSource {
    /// What `git` is given: `https://host/repo.git`, `git@host:team/repo.git`.
    pub(crate) url: String,
    /// The folder of the module in the repository; empty: its root.
    pub(crate) folder: String,
    /// Branch, tag or commit; none: the default branch.
    pub(crate) reference: Option<String>,
}

/// Hosts whose addresses are understood without `https://`.
const HOSTS: [&str; 3] = ["github.com/", "gitlab.com/", "bitbucket.org/"];
/// Ways to reach a repository. Others (`ext::`, …) run programs.
const SCHEMES: [&str; 3] = ["https://", "ssh://", "file://"];

impl GitSource {
    /// Reads an address. None: it is none of Git.
    ///
    /// # Errors
    /// It is one of Git, and cannot be used: why, in a few words for a label.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Result<Self, String>> {
        let (text, forced) = match text.strip_prefix("git::") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (address, query) = text.split_once('?').map_or((text, None), |(a, q)| (a, Some(q)));
        let known = HOSTS.iter().any(|host| address.starts_with(host));
        let secure_copy = address.starts_with("git@");
        let scheme = SCHEMES.iter().find(|scheme| address.starts_with(**scheme));
        let start = scheme.map_or(0, |scheme| scheme.len());
        let (repository, folder) = match address.get(start..).and_then(|rest| rest.find("//")) {
            Some(at) => address.split_at(start + at),
            None => (address, ""),
        };
        let is_git = forced || known || secure_copy || repository.ends_with(".git");
        if !is_git && !address.contains("://") {
            return None;
        }
        let folder = folder.trim_start_matches('/').trim_end_matches('/');
        let fault = if !is_git {
            Some("an address that is no Git repository: `git::` before it says that it is one".to_owned())
        } else if !known && !secure_copy && scheme.is_none() {
            Some("Git is reached by https, ssh, file or `git@host:`".to_owned())
        } else if repository.get(start..).is_none_or(str::is_empty) || repository.starts_with('-') {
            Some("names no repository".to_owned())
        } else if folder.split('/').any(|part| part == ".." || part == ".") {
            Some("a folder in a repository has no part `.` or `..`".to_owned())
        } else {
            None
        };
        let reference = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("ref=")));
        let other = query.and_then(|query| query.split('&').find(|pair| !pair.starts_with("ref=")));
        Some(match (fault, other, reference) {
            (Some(fault), ..) => Err(fault),
            (None, Some(other), _) => Err(format!("`{other}` is no option that is known; `ref=…` is")),
            (None, None, Some("")) => Err("`ref=` names nothing".to_owned()),
            (None, None, Some(reference)) if reference.starts_with('-') => {
                Err("a branch, tag or commit does not begin with a hyphen".to_owned())
            }
            (None, None, reference) => Ok(Self {
                url: if known { format!("https://{repository}") } else { repository.to_owned() },
                folder: folder.to_owned(),
                reference: reference.map(str::to_owned),
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, url, folder, reference) in [
            ("git::https://h/x.git//a/b?ref=v1", "https://h/x.git", "a/b", Some("v1")),
            ("https://h/x.git", "https://h/x.git", "", None),
            ("github.com/team/x//gpu", "https://github.com/team/x", "gpu", None),
            ("git@h:team/x.git//gpu?ref=main", "git@h:team/x.git", "gpu", Some("main")),
            ("git::ssh://git@h/x//gpu/", "ssh://git@h/x", "gpu", None),
            ("git::file:///srv/x", "file:///srv/x", "", None),
        ] {
            let wanted = GitSource {
                url: url.to_owned(),
                folder: folder.to_owned(),
                reference: reference.map(str::to_owned),
            };
            assert_eq!(GitSource::parse(text), Some(Ok(wanted)), "{text}");
        }
        for text in ["modules/x", "./x", "acme/gpu/aws", "x"] {
            assert_eq!(GitSource::parse(text), None, "{text}");
        }
        for text in [
            "git::ext::sh -c x",
            "git::",
            "https://h/x.zip",
            "git::https://h/x.git//../y",
            "git::https://h/x.git?ref=",
            "git::https://h/x.git?ref=--upload-pack=x",
            "git::https://h/x.git?depth=1",
            "git::--upload-pack=x",
        ] {
            assert!(matches!(GitSource::parse(text), Some(Err(_))), "{text}");
        }
    }
}
