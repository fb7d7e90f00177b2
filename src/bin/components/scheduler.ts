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
    await runComponent(schedulerComponent, withFile(flags, settings), (context) => runScheduler(context, settings))
  },
})

/** Returns the flags with the values of the configuration file, which take precedence. */
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

async function runScheduler(
  { environment, transport, stopped }: ComponentContext,
  settings: SchedulerSettings,
): Promise<void> {
  const scheduler = startScheduler({ environment, transport: transport(), ...settings.scheduler })
  const announce = () => void process.stdout.write('The scheduler is running.\n')
  const synced = scheduler.synced().then(announce, () => undefined) // rejects if it is closed before it is synced
  await Promise.race([synced, stopped])
  await stopped
  await scheduler.close()
}
