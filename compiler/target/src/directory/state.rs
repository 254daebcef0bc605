//! What is kept beside a target's folder: `live/eks` has it in `live/.poolwright/kubernetes.eks/` (CONTRACT §3).

use super::Directory;
use crate::codes;
use crate::error::{ErrorClass, TargetError};
use crate::files::{EntryKind, FileErrorKind, join, parents};
use crate::inventory::{INVENTORY, INVENTORY_LIMIT, Inventory};

impl Directory<'_> {
    /// The folder for inventory, journal and lock.
    #[must_use]
    pub fn state_folder(&self) -> String {
        let around = parents(self.folder).next().unwrap_or("");
        join(around, &format!(".poolwright/{}", self.target.short()))
    }

    pub(super) fn read_inventory(&self) -> Result<Option<Inventory>, TargetError> {
        let folder = self.state_folder();
        for around in std::iter::once(folder.as_str()).chain(parents(&folder).take(1)) {
            if let Some(kind @ (EntryKind::File | EntryKind::Other)) = self.files.kind(around)? {
                let message =
                    format!("{around} should be a folder for what is remembered, and is {}", kind.as_str());
                return Err(TargetError::new(ErrorClass::Invalid, codes::FILE_ACCESS, message)
                    .with_help("move it away"));
            }
        }
        let place = join(&folder, INVENTORY);
        if self.files.kind(&place)?.is_none() {
            return Ok(None);
        }
        let inventory = Inventory::decode(&self.files.read(&place, INVENTORY_LIMIT)?, &place)?;
        if inventory.fleet != self.fleet || inventory.target != self.target.meta.address {
            // Replacing it would lose what another fleet remembers: protection, and what was applied.
            let message = format!(
                "{place} belongs to {} of fleet `{}`, not to {} of `{}`",
                inventory.target, inventory.fleet, self.target.meta.address, self.fleet
            );
            return Err(TargetError::new(ErrorClass::Conflict, codes::FOREIGN_FOLDER, message)
                .with_help("give the target a `directory` of its own, beside no folder of the other fleet")
                .with_help(
                    "or, if that fleet was renamed to this one, delete the file: what it remembers is lost",
                ));
        }
        Ok(Some(inventory))
    }

    /// Removes the inventory, and its folder if nothing else is in it.
    pub(super) fn forget(&self) -> Result<(), TargetError> {
        let folder = self.state_folder();
        match self.files.remove(&join(&folder, INVENTORY)) {
            Err(error) if error.kind != FileErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        self.remove_if_empty(&folder)?;
        // The folder around belongs to other targets too, and it does no harm.
        if let Some(around) = parents(&folder).next() {
            let _ = self.files.remove_folder(around);
        }
        Ok(())
    }

    /// Removes a folder unless somebody keeps something in it.
    pub(super) fn remove_if_empty(&self, folder: &str) -> Result<(), TargetError> {
        match self.files.remove_folder(folder) {
            // A link is somebody's own.
            Err(error)
                if matches!(
                    error.kind,
                    FileErrorKind::NotEmpty | FileErrorKind::NotFound | FileErrorKind::WrongKind
                ) =>
            {
                Ok(())
            }
            other => Ok(other?),
        }
    }

    pub(super) fn write_inventory(&self, inventory: &Inventory) -> Result<(), TargetError> {
        let folder = self.state_folder();
        let place = join(&folder, INVENTORY);
        let bytes = inventory.encode();
        if self.files.kind(&place)? == Some(EntryKind::File)
            && self.files.read(&place, INVENTORY_LIMIT).is_ok_and(|found| found == bytes)
        {
            return Ok(());
        }
        let aside = join(&folder, &format!("{INVENTORY}.new"));
        self.files.create_folder(&folder)?;
        self.files.write(&aside, &bytes)?;
        self.files.sync(&aside)?;
        self.files.rename(&aside, &place)?;
        self.files.sync(&folder)?;
        Ok(())
    }
}
