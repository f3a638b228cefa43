// What is drawn? A set of SHADE_ bits that is known when a pipeline is made, since a software rasteriser runs both sides of
// every condition that it does not know. The renderer puts a module with its own set in place of this one, which has all.

const OVERLAYS: u32 = 0xffffffffu;
