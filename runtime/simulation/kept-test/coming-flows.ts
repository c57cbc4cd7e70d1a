import type { ComingFlow } from '#commands/conversation-test/conversation-test-port.ts'
import { readDrawing } from '#commands/flow/read-flow-file.ts'
import { type CompiledFlow, compileFlow, type Release, type ReleasedHandler } from '#domain/conversation/release.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'

const compiled = (id: string, coming: ComingFlow): CompiledFlow => {
  const doc = importFlow(readDrawing(coming).file)
  try {
    return compileFlow(id, 0, readFlow(doc))
  } finally {
    doc.destroy()
  }
}

const released = (id: string, coming: ComingFlow): ReleasedHandler => {
  const { name, slow } = coming
  return { id, revision: 0, name, slow, source: readDrawing(coming).script }
}

/** A release with flows that are about to be published. */
export const withPendingFlows = (release: Release, coming: Readonly<Record<string, ComingFlow>>): Release => {
  const all = Object.entries(coming)
  const dialogs = all.filter(([, { kind }]) => kind === 'dialog')
  const handlers = all.filter(([, { kind }]) => kind === 'handler')
  return {
    ...release,
    dialogs: new Map([...release.dialogs, ...dialogs.map(([id, each]) => [id, compiled(id, each)] as const)]),
    handlers: new Map([...release.handlers, ...handlers.map(([id, each]) => [id, released(id, each)] as const)]),
  }
}
