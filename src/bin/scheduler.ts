import { startScheduler } from '../scheduler/scheduler.js'
import { command } from './command.js'
import { type ComponentWorld, componentFlags, runComponent } from './component.js'

const component = 'kube-scheduler'

export const schedulerCommand = command({
  name: 'scheduler',
  about: `The scheduler: it finds a node for each pod that has none.

Usage:
  proa scheduler --kubeconfig FILE [flags]
`,
  flags: componentFlags(component, 10_259),
  run: (flags) => runComponent(component, flags, work),
})

async function work({ environment, transport, stopped }: ComponentWorld): Promise<void> {
  const scheduler = startScheduler({ environment, transport: transport() })
  const atWork = scheduler.synced().then(() => process.stdout.write('The scheduler is at work.\n'))
  await Promise.race([atWork, stopped])
  await stopped
  await scheduler.close()
}
