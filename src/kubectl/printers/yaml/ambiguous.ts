const words =
  /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|~|null|Null|NULL|\.nan|\.NaN|\.NAN|[-+]?\.(?:inf|Inf|INF))$/
const decimalNumber = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const otherNumber = /^[-+]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/
const hexFloat = /^[-+]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][-+]?[0-9]+$/
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
const day = /^\d{4}-\d{1,2}-\d{1,2}$/
const moment = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?)(?:Z|[-+]\d\d:\d\d)?$/

/** Whether a text would be read back as something that is no text: a number, a truth value, a time, or nothing. */
export function isAmbiguous(text: string): boolean {
  if (text === '' || words.test(text) || sexagesimal.test(text) || day.test(text) || moment.test(text)) return true
  const plain = /^[-+.0-9]/.test(text) ? text.replaceAll('_', '') : text
  return decimalNumber.test(plain) || otherNumber.test(plain) || hexFloat.test(plain)
}
