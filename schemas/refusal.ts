import type { Json, JsonObject } from './event.ts'

/**
 * Stable codes of everything that can be refused. Texts in three languages: `schemas/locales/<lang>/problem.json`,
 * statuses: `gateway/problem.ts`, both checked complete by the compiler or a test.
 */
export const REFUSAL_CODES = [
  'request.unreadable', // 400 not JSON, invalid UTF-8, wrong parameter encoding
  'request.idempotency', // 422 the same Idempotency-Key with another body
  'request.toolarge', // 413
  'request.mediatype', // 415
  'request.method', // 405, params {allow}
  'request.precondition', // 428 If-Match is missing
  'request.toomany', // 429, params {retryAfter}
  'files.full', // 507: files of the bot's chats
  'auth.required', // 401 no or ended session
  'auth.invalid', // 401, params {attemptsRemaining}
  'auth.locked', // 423
  'auth.twofactor', // 401
  'auth.expired', // 401
  'auth.token', // 401 an API token that is unknown, expired, revoked, disabled or not accepted from there
  'auth.reset', // 400 a link for a new password that was used, expired or never was
  'auth.passwordoff', // 403 OIDC_ONLY: this person signs in with the identity provider
  'auth.passkey', // 401 a passkey that is unknown, removed, copied or cannot be verified
  'auth.passkeyneeded', // 403 the second factor of this person is a passkey: it signs in alone
  'auth.passkeyoff', // 409 passkeys need an address with https, or localhost
  'auth.confirm', // 403 a password, a code or a passkey within the last 5 minutes is needed
  'auth.provider', // 503 the identity provider cannot be reached or used, params {reason}
  'auth.state', // 400 not the browser that began the sign-in, or too late
  'auth.denied', // 403 the identity provider refused, params {error}
  'auth.answer', // 401 an answer of the identity provider that cannot be verified
  'auth.unknown', // 403 nobody here is that person, and nobody is made
  'auth.groups', // 403 too many groups for the token: the provider must send app roles
  'auth.nogroup', // 403 no group of the token is one here
  'auth.level', // 403 groups in two branches of the levels
  'auth.logout', // 400 a logout token that cannot be verified
  'auth.origin', // 403 foreign Origin on a write made with the cookie
  'mail.off', // 409 no mail server is set
  'access.forbidden', // 403 no permission for that kind of thing
  'access.lacking', // 403 other permissions that the call needs besides, params {permissions}
  'access.grant', // 403 a right granted that one lacks
  'access.view', // 403 the person may do what the looker may not
  'access.viewing', // 403 nothing is written while the console is shown as another person, params {name}
  'access.token', // 403 needs a session: an API token cannot do that
  'access.lastadministrator', // 409 the last person who can administer users
  'access.emergency', // 409 an identity provider takes access from a person with emergency access
  'entity.notfound', // 404
  'event.cursor', // 410 a cursor of another store, or changed
  'entity.exists', // 409 its parent has exactly one, params {entity}
  'entity.name.taken', // 409, params {name}
  'entity.conflict', // 409, errors with {before, yours, theirs}
  'entity.revision', // 412 not at that revision, or never was
  'entity.removed', // 409 it has been removed meanwhile
  'entity.notremoved', // 409 nothing to bring back
  'entity.occupied', // 409 it is not empty, params {count}
  'entity.limit', // 422 its level has as many as it may have, params {max}
  'entity.used', // 409 others reference it, params {count, hidden}: all, and those the caller may not see
  'entity.busy', // 409 a process that this would contradict is under way
  'entity.parent', // 409 what it belongs to is removed
  'import.refused', // 422 rows of an import are refused, so that none is written, params {count}
  'process.final', // 409 nothing of what it changed can be brought back by undo
  'selection.toolarge', // 422 more things than one export or bulk command takes, params {count, max}
  'validation.failed', // 422, errors[]
  'validation.confirm', // 422 CONFIRM was not typed
  'bot.transition', // 409 not possible in this running status, params {status, action}
  'task.main', // 409 "main dialog must be set"
  'comment.author', // 403 not the caller's comment
  'comment.first', // 409 an answer: only the first comment of a thread is resolved
  'nlu.training', // 409 "Training initiated by another user please wait"
  'nlu.busy', // 503 "Can not send training request for now, try later"
  'nlu.model', // 409 the project has no model with that flag
  'nlu.modelfile', // 409 a model whose file is lost, and that cannot be trained again to the same
  'nlu.evaluation', // 409 a model of which it is not known any more what it was tried on
  'simulation.turn', // 409 a turn of the simulation runs, or none does
  'chat.disabled', // 404 "Webchat is not enabled, you can not chat"
  'chat.token', // 401 the token of a conversation is missing, forged or too old
  'chat.user', // 401 a person is named whose identity nothing proves
  'chat.stale', // 409 a button of an older message
  'chat.ended', // 409 the conversation ended
  'bot.stopped', // 409 the bot does not run
  'channel.signature', // 401 a call that does not prove that it is the provider's
  'channel.body', // 400 no body of the provider
  'channel.media', // 422 a file of a template cannot be read, or the provider does not take it
  'channel.message', // 422 a message that the provider cannot carry
  'channel.token', // 422 the provider does not take the credentials, params {error}
  'channel.incomplete', // 422 fields are missing
  'channel.numbertaken', // 409 another enabled channel has the number, params {name}
  'channel.untestable', // 422 the provider cannot be tested
  'channel.address', // 422 no address that providers call, params {address}
  'channel.profile', // 422 a rule of a declared provider can not be evaluated, params {rule}
  'channel.unconnected', // 422 the provider calls another address, or none
  'channel.answer', // 422 the provider answers in another form than its API has, params {error}
  'channel.disabled', // 409 it sends nothing
  'channel.unsupported', // 422 nothing carries channels of this type
  'handler.global', // 409 "global handlers can not be deleted"
  'flow.format', // 422 "dialog data can not be set ,not in proper json format"
  'flow.changed', // 409 the reviewed revision is no longer the live one
  'flow.toocostly', // 422 concurrent edits that take too long to put together: restore an earlier revision
  'flow.invalid', // 409 errors stop publishing, params {count}, errors: the first 50
  'flow.outdated', // 409 errors in a revision that is to go live again, params {flowrevision, count}, errors: the first 50, and gating tests
  'test.failed', // 422 gating tests fail, params {count}; errors with test and step
  'flow.timeout', // 422 too large to be looked through in time, params {name}
  'version.format', // 422
  'level.noalert', // 409 the level has no address for alerts
  'user.password.rules', // 422
  'user.password.same', // 422
  'user.password.confirm', // 422
  'user.password.original', // 422
  'user.forgotten', // 409
  'user.twofactor.missing', // 409
  'user.passkey.exists', // 409
  'user.passkey.many', // 409, params {max}
  'user.passkey.last', // 409 the only second factor of a person who must have one
  'outbound.address', // 422 no address of the web
  'outbound.credentials', // 422 a name or password in the address
  'outbound.private', // 422 it leads into a network that is not public, params {host}
  'outbound.unknown', // 422 the name has no address, or one that is not public
  'outbound.unreachable', // 422 params {reason}
  'outbound.certificate', // 422 params {reason}
  'outbound.timeout', // 422 params {ms}
  'outbound.redirects', // 422 params {most}
  'outbound.header', // 422 a header that can not be sent, params {name}
  'outbound.headers', // 422 the answer's headers are too large
  'nlu.format', // 422 a file of training data that cannot be read, errors with its name and line
  'oauth.consent', // 422 the grant needs a person in a browser
  'oauth.refused', // 422 params {status, error}
  'oauth.answer', // 422 no token in the answer
  'ml.channel', // 409 the bot has no enabled channel of that kind
  'ml.settings', // 409 the NLU settings name no remote service
  'ml.unauthorized', // 422 an outside system does not take the key, params {status, error}
  'ml.notfound', // 422 it knows no such agent, flow or address, params {status, error}
  'ml.refused', // 422 another 4xx, params {status, error}
  'ml.toomany', // 422 it is called too often, params {status, error}
  'ml.failed', // 422 5xx, params {status, error}
  'ml.answer', // 422 an answer in another form than its API has
  'ml.toolarge', // 422 params {max}: bytes
  'ml.paused', // 422 it failed again and again, so that calls pause, params {retryAfter}: seconds
  'ml.credentials', // 422 the stored key can not be used
  'ml.unsupported', // 422 the system tells no intents
  'agent.channel', // 409 the bot has no enabled, configured channel of that kind
  'agent.unauthorized', // 422 an agent system does not take the key, params {status, error}
  'agent.notfound', // 422 it knows no such chat, queue or address, params {status, error}
  'agent.refused', // 422 another 4xx, params {status, error}
  'agent.toomany', // 422 it is called too often, params {status, error}
  'agent.failed', // 422 5xx, params {status, error}
  'agent.answer', // 422 an answer in another form than its API has
  'agent.gone', // 422 the chat is not there any more
  'agent.nobody', // 422 no agent is there
  'agent.unsupported', // 422 there is no adapter for systems of this kind
  'agent.profile', // 422 a rule or call of a declared system can not be used, params {rule}
  'agent.unknown', // 422 whether the chat was opened is not known, and its system can not be asked
  'agent.disconnected', // 422 the socket to the system is not open
  'agent.clearing', // 409 nobody is taken out of this queue
  'agent.signature', // 401 a request that is not proven to be the system's
  'desk.ask', // 403 another agent holds the chat, and the caller may ask to see it, params {agent, queue}
  'desk.notyours', // 409 another agent holds the chat, params {agent, since}
  'desk.taken', // 409 another agent took it first, params {agent, since}
  'desk.changed', // 409 another agent wrote after what the client showed
  'desk.window', // 409 the channel takes no free words, params {until}
  'desk.canned', // 422 a canned answer without some of its values, params {missing}
  'desk.reason', // 422 the queue requires a reason
  'desk.decline', // 409 nobody passed the chat on, or its agent has answered
  'desk.nodes', // 409 nodes of an earlier build run, params {nodes}
  'webhook.off', // 409 it is turned off
  'desk.off', // 409 the bot has no agent channel of the desk
  'desk.full', // 409 the agent holds as many chats as one may, params {agent, max}
  'conversation.ended', // 409
  'conversation.open', // 409 the person is in another conversation, params {conversation}
  'conversation.unreachable', // 409 nobody can write first to this person
  'meta.credentials', // 409 the account has no access token
  'meta.token', // 422 Meta does not take the token, params {status, code, error}
  'meta.permission', // 422 the token may not do that, params {status, code, error}
  'meta.scope', // 422 permissions that the token lacks, params {missing}
  'meta.notfound', // 422 there is no such account, number or template, params {status, code, error}
  'meta.toomany', // 422 too many calls, params {status, code, error}
  'meta.refused', // 422 another refusal of Meta, params {status, code, error}
  'meta.failed', // 422 5xx, params {status, code, error}
  'meta.answer', // 422 an answer in another form than the Graph API has
  'meta.simulated', // 409 a real number does not write to personas, a simulated one to nobody else, params {error}
  'meta.unsubscribed', // 422 the app hears nothing of the account
  'template.review', // 409 Meta reviews it: read-only until Meta has decided
  'template.unsubmittable', // 409 its provider takes no templates from outside
  'template.unlisted', // 409 its provider has no list of templates
  'template.form', // 422 the provider's API creates no template of this form
  'template.edit', // 409 not to be edited at Meta in this state, params {status}
  'template.create', // 422 params {errMessage}
  'template.delete', // 409 it is not at Meta
  'template.load', // 422
  'campaign.disabled', // 409 a disabled campaign sends nothing
  'campaign.open', // 409 a run of it is under way
  'campaign.winner', // 409 the other template was chosen
  'campaign.none', // 409 it has no run that this could be done with
  'campaign.notpaused', // 409
  'campaign.incomplete', // 409 it cannot be sent as it is; errors say what is missing, field by field
  'outbound.answer', // 422 no answer in HTTP, or packed otherwise than it says
  'report.setup', // 409 METABASE_URL and METABASE_SECRET are not both given
  'feed.format', // 422 neither RSS nor Atom
  'store.readonly', // 503 disk full or read-only: nothing was written
  'store.unavailable', // 503
  'server.draining', // 503
  'server.error', // 500
] as const

export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** One line of `errors[]`: a dotted path into the body and what is wrong there. */
export interface FieldError {
  readonly path: string
  /** `required`, `type`, `toolong`, `toosmall`, `toolarge`, `toodeep`, `format`, `option`, `unknown`, `readonly`, `reference`, `characters`, `duplicate`, `taken`, `conflict`, `cycle`, `used`, `testfile`, `test`, `expression`, `template`, `flow`. */
  readonly code: FieldErrorCode
  readonly params?: Readonly<Record<string, Json>>
  /** Only for `conflict`: the three values. */
  readonly before?: Json
  readonly yours?: Json
  readonly theirs?: Json
  /** Only for `conflict` in a list: the items that both changed. The others merge. */
  readonly items?: readonly ItemConflict[]
}

/** An item that two people changed differently; null where it is not in the list. */
export interface ItemConflict {
  readonly id: string
  readonly before: JsonObject | null
  readonly yours: JsonObject | null
  readonly theirs: JsonObject | null
}

export const FIELD_ERROR_CODES = [
  'required',
  'type',
  'toolong',
  'toosmall',
  'toolarge',
  'toodeep', // params {max}: objects and lists within each other
  'format',
  'option',
  'unknown',
  'readonly',
  'reference',
  'characters',
  'duplicate',
  'taken', // params {name, entity}: someone else bears it
  'conflict',
  'cycle',
  'used', // params {entity, id, title, block?}: the referrer
  'testfile', // params {rule: the fault, line, column, at: path in the file, name?}
  'test', // params {rule: why it failed, test, name, step, line, expected, got}
  'expression', // params {rule: the fault, name?}
  'template', // params {rule: the fault, max?}
  'flow', // params {rule: the fault, block, title, type, field, name}: an error in a flow
] as const
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number]

/** A business refusal: a value, never thrown. */
export interface Refusal {
  readonly code: RefusalCode
  readonly params?: Readonly<Record<string, Json>>
  readonly errors?: readonly FieldError[]
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

export const accepted = <T>(value: T): Result<T> => ({ ok: true, value })
export const refused = (code: RefusalCode, more: Omit<Refusal, 'code'> = {}): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, ...more },
})
