import type { RandomChoices } from './random-choices.js'

/** Names that mean something to JavaScript, to paths, to selectors or to people, and names that mean nothing to anyone. */
export const hostileNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  'then',
  'length',
  'a',
  'web',
  'default',
  'kube-system',
  'proxy',
  'status',
  'watch',
  'namespaces',
  '..',
  '.',
  '-',
  'A',
  'a'.repeat(64),
  'a'.repeat(254),
  'a.b.c',
  'a/b',
  '%2e%2e',
  'é',
  '\u0000',
  '\ud800',
  '\u202e',
  '🛶',
  '0',
  '-1',
  '1e9',
  'null',
  '',
  ' ',
  '"',
  "'",
  '\\',
  '{}',
  '[]',
  '*',
  '$(touch x)',
] as const

/** What query parameters may be given. */
export const hostileValues = [
  ...hostileNames,
  'true',
  'false',
  '1',
  '2',
  '500',
  '18446744073709551615',
  '18446744073709551616',
  '9007199254740993',
  '-9223372036854775809',
  'NaN',
  'Infinity',
  '0x10',
  '1.5',
  'All',
  'Strict',
  'Ignore',
  'Exact',
  'NotOlderThan',
  'Foreground',
  'Orphan',
  'Background',
  'metadata.name=web',
  'metadata.name!=web,metadata.namespace=a',
  'spec.nodeName=',
  'status.phase=Pending',
  'a=b',
  'a in (b,c)',
  'a notin ()',
  '!a',
  'a>1',
  'a in (',
  ',',
  ',,,,',
  'a=b=c',
  '__proto__=x',
  'constructor in (x)',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0',
  'eyJfX3Byb3RvX18iOjF9',
] as const

export function hostileText(choices: RandomChoices): string {
  if (choices.rarely(8)) return choices.bytes(choices.below(40)).toString('latin1')
  return choices.rarely(3) ? choices.one(hostileNames) + choices.one(hostileNames) : choices.one(hostileNames)
}

/** As it stands in a request line: mostly escaped as it should be. */
export function escapeHostileText(choices: RandomChoices, given: string): string {
  if (choices.rarely(12)) return given.replace(/[\r\n ]/g, '')
  return encodeURIComponent(Buffer.from(given).toString())
}
