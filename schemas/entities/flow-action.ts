import type { EntityAction } from '../entity.ts'
import { integer, string, text } from '../field/field.ts'

/** Makes a copy beside the thing; without a name the copy gets a free one. */
export const DUPLICATE = { icon: 'Copy', on: [], input: { name: string() } } satisfies EntityAction

/** Reason to ignore failing tests, stored in the event. */
export const UNTESTED = text({ required: true, max: 2000 })

/** Actions of all entities with a flow. */
export const FLOW_ACTIONS = {
  /** `flowrevision` is the one that was reviewed. */
  publish: { icon: 'CloudUpload', on: ['bulk'], input: { flowrevision: integer({ min: 0, internal: true }) } },
  publishuntested: {
    icon: 'CloudAlert',
    on: [],
    input: { reason: UNTESTED, flowrevision: integer({ min: 0, internal: true }) },
  },
  unpublish: { icon: 'CloudOff', on: ['bulk'] },
  duplicate: DUPLICATE,
} satisfies Record<string, EntityAction>
