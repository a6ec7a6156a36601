//! Every experiment has an answer for any positions of its handles.
use super::*;

fn all_cases(lab: &mut LabPanel, mut check: impl FnMut(&LabPanel, &Drawing)) {
    for i in 0..queries().count() {
        lab.choose(i);
        let query = lab.query();
        check(lab, &lab.ask(query));
        for _ in 0..query.specials.len() + EDGE_CASES.len() + 1 {
            lab.next_edge_case();
            check(lab, &lab.ask(query));
        }
        for _ in 0..100 {
            lab.scatter();
            lab.time = f64::from(lab.seed as u32 % 11) * 0.1;
            check(lab, &lab.ask(query));
        }
    }
}

#[test]
fn every_question_has_an_answer_at_any_place_of_its_handles() {
    let mut lab = LabPanel::default();
    let mut cases = 0;
    all_cases(&mut lab, |lab, drawing| {
        let query = lab.query();
        assert_eq!(lab.handles.len(), query.handles.len(), "{}", query.name);
        assert!(!drawing.rows.is_empty(), "{}: {}", query.name, lab.case);
        assert!(!drawing.shapes.is_empty(), "{}: {}", query.name, lab.case);
        cases += 1;
    });
    assert!(cases > 3000, "{cases}");
}

#[test]
fn special_cases_have_all_handles_and_say_what_they_show() {
    for query in queries() {
        assert!(!query.specials.is_empty(), "{}", query.name);
        for (name, handles) in query.specials {
            assert_eq!(handles.len(), query.handles.len(), "{}: {name}", query.name);
            let is_flat = handles.iter().all(|h| h[2] == 0.0);
            assert!(!query.is_flat || is_flat, "{}: {name}", query.name);
        }
    }
}

/// As it comes each experiment shows an answer and not a miss.
#[test]
fn every_question_begins_with_something_to_see() {
    let mut lab = LabPanel::default();
    for i in 0..queries().count() {
        lab.choose(i);
        let drawing = lab.ask(lab.query());
        let missed = drawing
            .rows
            .iter()
            .any(|row| ["t", "fraction"].contains(&row.0) && row.1 == "none");
        assert!(!missed, "{}: {:?}", lab.query().name, drawing.rows);
    }
}

#[test]
fn every_kernel_of_the_library_is_in_the_lab() {
    for file in breach_core::collide::sources() {
        assert!(
            queries().any(|query| query.file == file),
            "{file} has no experiment"
        );
    }
    for query in queries() {
        assert!(!query.source().is_empty(), "{} has no file", query.name);
    }
}

#[test]
fn a_head_is_a_question_and_says_what_happens_at_the_edges() {
    for query in queries() {
        let paragraphs: Vec<String> = paragraphs(query.source()).collect();
        assert!(paragraphs[0].contains('?'), "{}", query.name);
        let has = |what: &str| paragraphs.iter().any(|p| p.starts_with(what));
        assert!(has("Conventions."), "{}", query.name);
        assert!(
            paragraphs.iter().all(|p| !p.contains('`')),
            "{}",
            query.name
        );
    }
}
