// Colours of rows in plots and pictures: Okabe and Ito's blue and vermilion, which colour-blind readers can
// tell apart.
#pragma once

namespace trl::interpreter {

constexpr const char *cell_colour = "#0072B2", *control_colour = "#D55E00", *other_colour = "#c4c4c4";

}  // namespace trl::interpreter
