import type { RunInForeground } from './environment.js'

/** On the terminal that this process has, if it has one. */
export const runInForeground: RunInForeground = async ({ command, args, variables }) => {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env: variables, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? undefined))
  })
}
