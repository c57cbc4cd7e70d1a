import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import type { Operation } from './operation.ts'

/** Paths of an entity open to every session: the console's release notes. */
const FOR_EVERYBODY = [/^\/releasenote\/latest$/]

const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  POST: 'create',
  PATCH: 'update',
  PUT: 'update',
  DELETE: 'delete',
}
/** Below `/user`: calls about the caller's own password, second factor, passkeys and mail. */
const OF_ONESELF = new Set(['password', 'register2fa', 'verify2fa', 'recoverycodes', 'passkey', 'confirm', 'mail'])
const UPDATES = new Set(['restore', 'flow', 'try', 'upload'])
/** Calls that only answer something. */
const READS = new Set(['parse', 'compare'])

/**
 * The permission that an operation must need, from its method and path alone; undefined where a session is enough. It
 * asks nothing of the code under test.
 */
export const permissionOf = ({ method, path }: Operation): string | undefined => {
  if (FOR_EVERYBODY.some(pattern => pattern.test(path))) return undefined
  const [, first = '', second, third, fourth] = path.split('/')
  if (first === 'audit') return [second, third].includes('export') ? 'exportaudit' : 'readaudit'
  if (first === 'dashboard') return 'showdashboard'
  if (first === 'event') return 'readevent'
  if (first === 'webhook' && third === 'delivery') return 'readwebhook'
  if (first === 'webhook' && (third === 'retry' || third === 'replay')) return 'updatewebhook'
  if (path === '/auth/seeas') return 'seeasuser'
  if (first === 'user' && (third === 'sessions' || third === 'endsessions')) return 'endsessionsuser'
  // User behaviour in dialogs needs a read permission of dialogs.
  if (third === 'transfer') return `transfer${first}`
  if (third === 'unrecognized') return 'readconversation'
  if (third === 'checkstory') return 'readstory'
  if (third === 'dropoff') return 'readdialog'
  // Running tests needs the read permission only.
  if (third === 'tests') return 'readconversationtest'
  if (third === 'readtests') return 'createconversationtest'
  if (third === 'services') return 'readbotservice'
  if (third === 'channelhealth') return 'readchannel'
  // Message contents need stricter permissions than events.
  if (third === 'contacts' || (first === 'campaignuploadprofile' && third === 'upload')) return 'createcontact'
  if (third === 'rejects') return 'readcontact'
  if (first === 'campaignrun') return 'readcampaign'
  // Numbers of many people in a file are for fewer people than the page.
  if (third === 'recipients' && fourth === 'export') return 'exportcampaign'
  if (third === 'recipients' && fourth === 'search') return 'readcontact'
  if ((first === 'suppression' || first === 'contact') && second === 'export') return 'exportcontact'
  if (third === 'testnumbers') return 'testcampaign'
  if (third === 'testmessage') return 'testchannel'
  if (third === 'testalert') return 'updatehierarchy'
  if (third === 'testaccount' || third === 'testclaims') return `test${first}`
  if (first === 'channel' && third === 'connect') return 'updatechannel'
  if (third === 'draftlink') return 'updatedialog'
  if (third === 'duplicate') return `create${first}`
  if (first === 'bottemplate') return 'createbot'
  if (first === 'sample') return method === 'DELETE' ? 'deletehierarchy' : undefined
  if (first === 'simulatednumber') return simulatedPermission(method, second, third)
  if (first === 'suppression') return method === 'GET' || second === 'search' ? 'readsuppression' : 'updatesuppression'
  if (first === 'contact' && second === 'search') return 'readcontact'
  // Answers of segments are counts of contacts; a removal of many contacts is one call.
  if (
    first === 'contactjob' ||
    (first === 'segment' && (third === 'count' || second === 'sample' || second === 'columns'))
  )
    return 'readcontact'
  if (first === 'contact' && second === 'removal') return 'deletecontact'
  if (first === 'contactlist' && third === 'copy') return 'createcontact'
  if (first === 'contact') return third === 'forget' ? 'forgetcontact' : `${VERBS[method]}contact`
  if (first === 'conversation' && third === 'forget') return 'forgetconversation'
  if (first === 'conversation' && third === 'readers') return 'readaudit'
  if (first === 'conversation' && (third === 'takeover' || third === 'write')) return 'takeoverconversation'
  if (first === 'conversation' && third === 'reveal') return 'revealconversation'
  if (first === 'conversation') return third === 'transcript' || third === 'test' ? 'readconversation' : 'readbot'
  if (first === 'desk') return third === 'export' ? 'exportdesk' : deskPermission(method, second, fourth)
  if (first === 'deskqueue' && third === 'move') return 'assignconversation'
  // Dialog editors may simulate.
  if (first === 'rehearsal' && third === 'conversation') return 'readconversation'
  if (first === 'rehearsal' || third === 'rehearsal') return 'updatedialog'
  if (first === 'simulation' || third === 'simulation') return 'updatedialog'
  // Reading a flow includes commenting on it.
  if (first === 'dialogcomment' || first === 'handlercomment') return `read${first.slice(0, -'comment'.length)}`
  if (!isEntity(first) || (first === 'user' && OF_ONESELF.has(second ?? ''))) return undefined
  if (method !== 'POST' || third === undefined) return VERBS[method] + first
  if (READS.has(third)) return `read${first}`
  return UPDATES.has(third) ? `update${first}` : third + first
}

/** A simulated number is an account; `act`: what is done with it. */
const simulatedPermission = (method: string, id: string | undefined, act: string | undefined): string => {
  if (act === 'copy') return 'createcampaign'
  if (method === 'GET') return 'readmetaaccount'
  return id === undefined ? 'createmetaaccount' : 'updatemetaaccount'
}

/** Of a call at the desk; `act`: what it does with a chat. */
const deskPermission = (method: string, part: string | undefined, act: string | undefined): string => {
  if (method === 'GET' || part === 'state') return 'showdesk'
  if (part === 'enable') return 'createagentchannel'
  return act === 'assign' || act === 'priority' ? 'assignconversation' : 'answerconversation'
}

export const isEntity = (name: string): name is EntityName => Object.hasOwn(ENTITIES, name)

/** The entity whose id a path names. */
export const entityOf = ({ path }: Operation): EntityName | 'hierarchy' | undefined => {
  const [, first = '', second = ''] = path.split('/')
  if (second === '{level}') return 'hierarchy'
  return isEntity(first) && second === '{id}' ? first : undefined
}
