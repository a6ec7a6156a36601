//! Integer planes, points as meets of three planes, exact predicates.
