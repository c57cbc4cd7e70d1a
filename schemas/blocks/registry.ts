import type { Block } from '../block.ts'
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
import { group } from './group.ts'
import { handler } from './handler.ts'
import { herocard } from './herocard.ts'
import { location } from './location.ts'
import { marker } from './marker.ts'
import { mediacard } from './mediacard.ts'
import { note } from './note.ts'
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

const declared = {
  start,
  marker,
  condition,
  workinghour,
  schedule,
  subdialog,
  contextdialog,
  gototask,
  gototaskandwait,
  gotonodesrc,
  gotonodedest,
  goback,
  enddialog,
  endconversation,
  text,
  sendmessage,
  prompt,
  rating,
  location,
  assignvariables,
  transformdata,
  clearvariables,
  assignuserdata,
  handler,
  restservice,
  connecttoagent,
  talktomlsystem,
  talktoanotherbot,
  rssfeed,
  herocard,
  carousel,
  mediacard,
  adaptivecard,
  productcard,
  variablecard,
  receiptcard,
  note,
  group,
} as const

export type BlockType = keyof typeof declared

/** Every block, in the palette's order. A key that is not its block's type does not compile. */
export const blocks: { readonly [Type in BlockType]: Block & { readonly type: Type } } = declared

/** The declaration of a type; undefined for types of other makers, which are shown as markers. */
export const blockOf = (type: string): Block | undefined =>
  Object.hasOwn(declared, type) ? blocks[type as BlockType] : undefined

/** Whether a block asks something outside of the flow. */
export const isIntegrationBlock = (type: string): boolean => blockOf(type)?.category === 'integration'
