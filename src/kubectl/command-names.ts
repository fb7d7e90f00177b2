import { catalogue } from './catalogue.js'

/** Whether kubectl has a command of that name. */
export function isKubectlCommand(name: string): boolean {
  return Object.entries(catalogue).some(([key, { aliases = [] }]) => key === name || aliases.includes(name))
}

export const kubectlCommandNames: readonly string[] = Object.keys(catalogue)
