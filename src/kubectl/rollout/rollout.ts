import { commandGroup } from '../command.js'

export const rollout = commandGroup({
  about: 'Manage the rollout of a deployment, daemon set or stateful set.',
  subcommands: {
    history: { about: 'View rollout history', load: async () => (await import('./history.js')).rolloutHistory },
    pause: {
      about: 'Mark the provided resource as paused',
      load: async () => (await import('./pause.js')).rolloutPause,
    },
    restart: { about: 'Restart a resource', load: async () => (await import('./restart.js')).rolloutRestart },
    resume: { about: 'Resume a paused resource', load: async () => (await import('./pause.js')).rolloutResume },
    status: {
      about: 'Show the status of the rollout',
      load: async () => (await import('./status.js')).rolloutStatusCommand,
    },
    undo: { about: 'Undo a previous rollout', load: async () => (await import('./undo.js')).rolloutUndo },
  },
})
