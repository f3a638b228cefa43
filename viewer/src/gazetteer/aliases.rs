//! Which other names do people use? Those of places whose name in the gazetteer is another.

/// Other names, folded, and the name in the gazetteer, folded too.
const ALIASES: &[(&str, &str)] = &[
    ("usa", "united states"),
    ("us", "united states"),
    ("united states of america", "united states"),
    ("america", "united states"),
    ("uk", "united kingdom"),
    ("gb", "united kingdom"),
    ("britain", "united kingdom"),
    ("england", "united kingdom"),
    ("uae", "united arab emirates"),
    ("holland", "netherlands"),
    ("burma", "myanmar"),
    ("cote d ivoire", "ivory coast"),
    ("cote divoire", "ivory coast"),
    ("swaziland", "eswatini"),
    ("macedonia", "north macedonia"),
    ("east timor", "timor leste"),
    ("drc", "democratic republic of the congo"),
    ("deutschland", "germany"),
    ("espana", "spain"),
    ("brasil", "brazil"),
    ("italia", "italy"),
    ("nippon", "japan"),
    ("osterreich", "austria"),
    ("schweiz", "switzerland"),
    ("suisse", "switzerland"),
    ("suomi", "finland"),
    ("sverige", "sweden"),
    ("norge", "norway"),
    ("danmark", "denmark"),
    ("polska", "poland"),
    ("nyc", "new york"),
    ("new york city", "new york"),
    ("la", "los angeles"),
    ("washington dc", "washington d c"),
    ("peking", "beijing"),
    ("saigon", "ho chi minh city"),
    ("rangoon", "yangon"),
    ("kiev", "kyiv"),
    ("koln", "cologne"),
    ("moskva", "moscow"),
    ("kobenhavn", "copenhagen"),
    ("warszawa", "warsaw"),
    ("chomolungma", "mount everest"),
    ("qomolangma", "mount everest"),
    ("sagarmatha", "mount everest"),
    ("cervino", "matterhorn"),
    ("mount mckinley", "denali"),
    ("ayers rock", "uluru"),
    ("fujiyama", "mount fuji"),
    ("fuji san", "mount fuji"),
    ("gibraltar strait", "strait of gibraltar"),
    ("rockies", "rocky mountains"),
    ("himalayas", "himalaya"),
    ("lac leman", "lake geneva"),
    ("bodensee", "lake constance"),
    ("mediterranean", "mediterranean sea"),
];

/// The name in the gazetteer for a folded name; itself where there is no other.
pub(super) fn common(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, common)| common)
}

#[cfg(test)]
mod tests {
    use super::super::entries;
    use super::*;

    /// Law: an alias stands for a name that there is, and hides none.
    #[test]
    fn aliases_stand_for_names_and_hide_none() {
        let is_name = |name: &str| entries().iter().any(|entry| entry.key == name);
        let lost: Vec<&str> = ALIASES.iter().map(|(_, common)| *common).filter(|common| !is_name(common)).collect();
        let hides: Vec<&str> = ALIASES.iter().map(|(alias, _)| *alias).filter(|alias| is_name(alias)).collect();
        assert_eq!((lost, hides), (Vec::<&str>::new(), Vec::<&str>::new()));
    }
}
