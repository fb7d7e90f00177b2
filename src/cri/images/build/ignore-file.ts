import { posix } from 'node:path'
import { pathPattern } from './path-pattern.js'

/** The rules of a `.dockerignore`. */
export interface IgnoreRules {
  /** Whether a path is excluded. Relative, with `/`. */
  isIgnored(path: string): boolean
  /** Whether no exception can include a file in an ignored directory. */
  readonly isFinal: boolean
}

interface IgnoreRule {
  readonly isException: boolean
  readonly pattern: RegExp
}

/** Parses a `.dockerignore`: one pattern per line; `!` starts an exception. The last matching pattern decides. */
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

/** Returns the path and its parent directories: an ignored directory excludes its content. */
function ancestors(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
