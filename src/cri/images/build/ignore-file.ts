import { posix } from 'node:path'
import { pathPattern } from './path-pattern.js'

/** What a `.dockerignore` leaves out of a build. */
export interface IgnoreRules {
  /** Whether a path is left out. Relative, with `/`. */
  isIgnored(path: string): boolean
  /** Whether nothing below an ignored directory can be part of the build. */
  readonly isFinal: boolean
}

interface IgnoreRule {
  readonly isException: boolean
  readonly pattern: RegExp
}

/** One pattern a line; a pattern after `!` takes back what earlier ones left out. The last pattern that fits counts. */
export function ignoreRules(text: string): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const rules = lines.filter((line) => !line.startsWith('#') && line.trim() !== '').map((line) => ruleOf(line.trim()))
  return {
    isIgnored(path) {
      const paths = ancestors(path)
      return rules.findLast(({ pattern }) => paths.some((each) => pattern.test(each)))?.isException === false
    },
    isFinal: !rules.some(({ isException }) => isException),
  }
}

function ruleOf(text: string): IgnoreRule {
  const isException = text.startsWith('!')
  const path = posix.normalize((isException ? text.slice(1) : text).trim())
  return { isException, pattern: pathPattern(path.replace(/^\/(?=.)|(?<=.)\/$/g, '')) }
}

/** The path itself, and all directories that it is in: who ignores a directory ignores what is in it. */
function ancestors(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
