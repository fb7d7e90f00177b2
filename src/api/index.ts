// Written by tools/list-declarations.sh from the files in this folder. Do not edit.
import { declarationsIn } from '../schema/declaration.js'

/** Every type and kind that Proa serves, in no particular order. */
export const declarations = declarationsIn([
])
