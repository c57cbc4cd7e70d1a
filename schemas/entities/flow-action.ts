import type { EntityAction } from '../entity.ts'
import { boolean, integer, string, text, time } from '../field/field.ts'

/** Makes a copy beside the thing; without a name the copy gets a free one. */
export const DUPLICATE = { icon: 'Copy', on: [], input: { name: string() } } satisfies EntityAction

/** Reason to ignore failing tests, stored in the event. */
export const UNTESTED = text({ required: true, max: 2000 })

/** Set by the server. */
export const PUBLISHING_FIELDS = {
  published: boolean({ readonly: true }),
  publishedrevision: integer({ min: 0, readonly: true }),
  /** Set by the read model: the live flow is not at the published revision. */
  modified: boolean({ readonly: true }),
  published_at: time({ readonly: true }),
  /** Why it was published although tests failed; null where none did. */
  untestedreason: text({ readonly: true }),
}

const REVISION = {
  /** The one that was reviewed. */
  flowrevision: integer({ min: 0, internal: true }),
  /** `flowrevision` was published before, and comes back in place of the newest. */
  again: boolean({ internal: true }),
}

/** Actions of all entities with a flow. */
export const FLOW_ACTIONS = {
  publish: { icon: 'CloudUpload', on: ['bulk'], input: REVISION },
  publishuntested: { icon: 'CloudAlert', on: [], input: { reason: UNTESTED, ...REVISION } },
  unpublish: { icon: 'CloudOff', on: ['bulk'] },
  duplicate: DUPLICATE,
} satisfies Record<string, EntityAction>
