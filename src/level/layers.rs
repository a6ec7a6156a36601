//! TrenchBroom's layers that are omitted from export, with their groups and entities.
//!
//! A layer or a group is a func_group with an id; its members name that id. Entities without one are in the default layer,
//! whose keys are those of worldspawn.
use super::parsed::ParsedEntity;
use rustc_hash::FxHashMap;

const OMIT: &str = "_tb_layer_omit_from_export";

/// Whether each entity is omitted.
pub(super) fn omitted(entities: &[ParsedEntity]) -> Vec<bool> {
    if !entities.iter().any(is_omitted) {
        return vec![false; entities.len()];
    }
    let by_id = |kind: &str| -> FxHashMap<&str, &ParsedEntity> {
        let of_kind = entities.iter().filter(|e| e.get("_tb_type") == Some(kind));
        of_kind
            .filter_map(|e| Some((e.get("_tb_id")?, e)))
            .collect()
    };
    let (layers, groups) = (by_id("_tb_layer"), by_id("_tb_group"));
    let world = entities.iter().find(|e| e.class_name() == "worldspawn");
    let layer_of = |entity| {
        let mut at: &ParsedEntity = entity;
        // Groups can be in groups; a cycle of them ends here.
        for _ in 0..=groups.len() {
            let Some(group) = at.get("_tb_group").and_then(|id| groups.get(id)) else {
                break;
            };
            at = group;
        }
        let is_layer = at.get("_tb_type") == Some("_tb_layer");
        let named = at.get("_tb_layer").and_then(|id| layers.get(id).copied());
        if is_layer { Some(at) } else { named.or(world) }
    };
    let layers = entities.iter().map(layer_of);
    layers.map(|layer| layer.is_some_and(is_omitted)).collect()
}

/// The name of an omitted layer; None of any other entity.
pub(super) fn omitted_layer(entity: &ParsedEntity) -> Option<&str> {
    let name = entity.get("_tb_name").unwrap_or("Default Layer");
    is_omitted(entity).then_some(name)
}

fn is_omitted(layer: &ParsedEntity) -> bool {
    layer.get(OMIT).is_some_and(|value| value.trim() == "1")
}
