import type { BlockType } from '#schemas/blocks/registry.ts'
import type { BlockRuntime } from '../turn.ts'
import { adaptivecard } from './adaptivecard.ts'
import { assignuserdata } from './assignuserdata.ts'
import { assignvariables } from './assignvariables.ts'
import { carousel } from './carousel.ts'
import { clearvariables } from './clearvariables.ts'
import { condition } from './condition.ts'
import { connecttoagent } from './connecttoagent.ts'
import { contextdialog } from './contextdialog.ts'
import { endconversation } from './endconversation.ts'
import { enddialog } from './enddialog.ts'
import { goback } from './goback.ts'
import { gotonodedest } from './gotonodedest.ts'
import { gotonodesrc } from './gotonodesrc.ts'
import { gototask } from './gototask.ts'
import { gototaskandwait } from './gototaskandwait.ts'
import { handler } from './handler.ts'
import { herocard } from './herocard.ts'
import { location } from './location.ts'
import { marker } from './marker.ts'
import { mediacard } from './mediacard.ts'
import { productcard } from './productcard.ts'
import { prompt } from './prompt.ts'
import { rating } from './rating.ts'
import { receiptcard } from './receiptcard.ts'
import { restservice } from './restservice.ts'
import { rssfeed } from './rssfeed.ts'
import { schedule } from './schedule.ts'
import { sendmessage } from './sendmessage.ts'
import { start } from './start.ts'
import { subdialog } from './subdialog.ts'
import { talktoanotherbot } from './talktoanotherbot.ts'
import { talktomlsystem } from './talktomlsystem.ts'
import { text } from './text.ts'
import { transformdata } from './transformdata.ts'
import { variablecard } from './variablecard.ts'
import { workinghour } from './workinghour.ts'

/** Runtime of each block type. Fails to compile if a type that runs is missing. */
const runtimes = {
  adaptivecard,
  assignuserdata,
  assignvariables,
  carousel,
  clearvariables,
  condition,
  connecttoagent,
  contextdialog,
  endconversation,
  enddialog,
  goback,
  gotonodedest,
  gotonodesrc,
  gototask,
  gototaskandwait,
  handler,
  herocard,
  location,
  marker,
  mediacard,
  productcard,
  prompt,
  rating,
  receiptcard,
  restservice,
  rssfeed,
  schedule,
  sendmessage,
  start,
  subdialog,
  talktoanotherbot,
  talktomlsystem,
  text,
  transformdata,
  variablecard,
  workinghour,
} as const satisfies { readonly [Type in Exclude<BlockType, 'note' | 'group'>]: BlockRuntime }

/** Runtime of a type; undefined for third-party types. */
export const runtimeOf = (type: string): BlockRuntime | undefined =>
  Object.hasOwn(runtimes, type) ? runtimes[type as keyof typeof runtimes] : undefined
