import { startScheduler } from '../../scheduler/scheduler.js'
import { defineCommand } from '../command.js'
import { commandEnvironment } from '../process/command-environment.js'
import { type ComponentContext, runComponent } from './component.js'
import {
  type SchedulerFlags,
  type SchedulerSettings,
  schedulerComponent,
  schedulerFlags,
  schedulerSettings,
} from './scheduler-settings.js'

export const schedulerCommand = defineCommand({
  name: 'scheduler',
  about: `Run the scheduler alone. It assigns a node to each pod.

Usage:
  proa scheduler --kubeconfig FILE [flags]
`,
  flags: schedulerFlags,
  async run(flags) {
    const settings = await schedulerSettings(flags, commandEnvironment(flags.v))
    await runComponent(schedulerComponent, withFile(flags, settings), (world) => work(world, settings))
  },
})

/** What a file says comes before the flags. */
function withFile(
  flags: SchedulerFlags,
  { election, kubeconfig = flags.kubeconfig }: SchedulerSettings,
): SchedulerFlags {
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

async function work({ environment, transport, stopped }: ComponentContext, settings: SchedulerSettings): Promise<void> {
  const scheduler = startScheduler({ environment, transport: transport(), ...settings.scheduler })
  const say = () => void process.stdout.write('The scheduler is at work.\n')
  const atWork = scheduler.synced().then(say, () => undefined) // it may be closed before it knows everything
  await Promise.race([atWork, stopped])
  await stopped
  await scheduler.close()
}
