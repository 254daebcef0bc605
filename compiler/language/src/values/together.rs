//! Decoding many blocks at a time.

use std::cell::RefCell;
use std::sync::Arc;

use poolwright_diagnostics::Diagnostic;
use rayon::prelude::*;

use super::chain::Known;
use super::{Found, Values};
use crate::instances::Block;

/// How many blocks are decoded at a time. Not by the number of processors: what is found must not depend on it.
const TOGETHER: usize = 64;

/// What was decoded of some blocks, with everything found in them.
type Part<T> = (Vec<T>, Found);

impl<'t> Values<'_, 't> {
    /// Decodes blocks side by side; the results are in the order of the blocks. With an error among them all are
    /// decoded again one after the other, since two that refer to each other would both tell of it.
    pub(crate) fn each<T: Send>(
        &self,
        blocks: &[Arc<Block<'t>>],
        decode: impl Fn(&Values<'_, 't>, &Arc<Block<'t>>) -> Option<T> + Sync,
    ) -> std::iter::Flatten<std::vec::IntoIter<Vec<T>>> {
        let many = blocks.len() > TOGETHER;
        let parts = if many { self.side_by_side(blocks, &decode) } else { None };
        let parts = parts.unwrap_or_else(|| {
            vec![blocks.iter().filter_map(|block| self.within(block, || decode(self, block))).collect()]
        });
        // Part by part, so that what was taken over is not kept twice.
        parts.into_iter().flatten()
    }

    fn side_by_side<T: Send>(
        &self,
        blocks: &[Arc<Block<'t>>],
        decode: &(impl Fn(&Values<'_, 't>, &Arc<Block<'t>>) -> Option<T> + Sync),
    ) -> Option<Vec<Vec<T>>> {
        let known = self.known.borrow();
        let (schema, all, before): (_, _, &Known) = (self.schema, self.blocks, &known);
        let (folders, inputs) = (self.folders, self.inputs);
        let base = self.base.borrow().clone();
        let parts: Vec<Part<T>> = blocks
            .par_chunks(TOGETHER)
            .map(|part| {
                let values = Values {
                    before: Some(before),
                    base: RefCell::new(base.clone()),
                    ..Values::new(schema, all, folders, inputs)
                };
                let decode = |block| values.within(block, || decode(&values, block));
                let decoded = part.iter().filter_map(decode).collect();
                (decoded, values.finish())
            })
            .collect();
        if parts.iter().any(|(_, found)| found.diagnostics.iter().any(Diagnostic::is_error)) {
            return None;
        }
        let mut all = Vec::with_capacity(parts.len());
        for (decoded, found) in parts {
            all.push(decoded);
            self.diagnostics.borrow_mut().extend(found.diagnostics);
            self.checked.borrow_mut().extend(found.checked);
            self.later.borrow_mut().extend(found.later);
            self.files.borrow_mut().extend(found.files);
        }
        Some(all)
    }
}
