//! Brushes as `.map` text.

/// A box brush in `.map` units, of any texture.
pub fn brush([x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3], texture: &str) -> String {
    let sides = [
        format!("( {x0} 0 0 ) ( {x0} 1 0 ) ( {x0} 0 1 )"),
        format!("( {x1} 0 0 ) ( {x1} 0 1 ) ( {x1} 1 0 )"),
        format!("( 0 {y0} 0 ) ( 0 {y0} 1 ) ( 1 {y0} 0 )"),
        format!("( 0 {y1} 0 ) ( 1 {y1} 0 ) ( 0 {y1} 1 )"),
        format!("( 0 0 {z0} ) ( 1 0 {z0} ) ( 0 1 {z0} )"),
        format!("( 0 0 {z1} ) ( 0 1 {z1} ) ( 1 0 {z1} )"),
    ];
    let side = |s: &String| format!("{s} {texture} 0 0 0 1 1\n");
    format!("{{\n{}}}\n", sides.iter().map(side).collect::<String>())
}
