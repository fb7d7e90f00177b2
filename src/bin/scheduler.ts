import { startScheduler } from '../scheduler/scheduler.js'
import { command } from './command.js'
import { type ComponentWorld, runComponent } from './component.js'
import { component, type SchedulerFlags, schedulerFlags } from './scheduler-flags.js'
import { type Settings, settingsBy } from './scheduler-settings.js'
import { surroundings } from './surroundings.js'

export const schedulerCommand = command({
  name: 'scheduler',
  about: `Run the scheduler alone. It assigns a node to each pod.

Usage:
  proa scheduler --kubeconfig FILE [flags]
`,
  flags: schedulerFlags,
  async run(flags) {
    const settings = await settingsBy(flags, surroundings(flags.v))
    await runComponent(component, withFile(flags, settings), (world) => work(world, settings))
  },
})

/** What a file says comes before the flags. */
function withFile(flags: SchedulerFlags, { election, kubeconfig = flags.kubeconfig }: Settings): SchedulerFlags {
  return {
    ...flags,
    kubeconfig,
    'leader-elect': election.isElected,
    'leader-elect-lease-duration': election.leaseDuration,
    'leader-elect-renew-deadline': election.renewDeadline,
    'leader-elect-retry-period': election.retryPeriod,
    'leader-elect-resource-name': election.name,
    'leader-elect-resource-namespace': election.namespace,
  }
}

async function work({ environment, transport, stopped }: ComponentWorld, settings: Settings): Promise<void> {
  const scheduler = startScheduler({ environment, transport: transport(), ...settings.scheduler })
  const say = () => void process.stdout.write('The scheduler is at work.\n')
  const atWork = scheduler.synced().then(say, () => undefined) // it may be closed before it knows everything
  await Promise.race([atWork, stopped])
  await stopped
  await scheduler.close()
}
