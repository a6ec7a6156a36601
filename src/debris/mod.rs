//! Crumbs: spheres that fall, bounce, spin and come to rest.
