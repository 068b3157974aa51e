// Copies into this folder what the package needs from its neighbours: the grammar and the license.
const fs = require('fs');
const path = require('path');

const here = (name) => path.join(__dirname, name);
fs.copyFileSync(here('../textmate/trl.tmLanguage.json'), here('syntaxes/trl.tmLanguage.json'));
fs.copyFileSync(here('../../LICENSE'), here('LICENSE'));
