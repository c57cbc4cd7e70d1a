import { checkedEntities } from '../check-entities.ts'
import type { EntityDeclaration } from '../entity.ts'
import { agentchannel } from './agentchannel.ts'
import { apitoken } from './apitoken.ts'
import { bot } from './bot.ts'
import { botadvancedsetting } from './botadvancedsetting.ts'
import { botservice } from './botservice.ts'
import { brain } from './brain.ts'
import { campaign } from './campaign.ts'
import { campaignupload } from './campaignupload.ts'
import { campaignuploadprofile } from './campaignuploadprofile.ts'
import { cannedanswer } from './cannedanswer.ts'
import { channel } from './channel.ts'
import { chatinterface } from './chatinterface.ts'
import { cloudfile } from './cloudfile.ts'
import { codesample } from './codesample.ts'
import { dialogcomment, handlercomment } from './comment.ts'
import { contactlist } from './contactlist.ts'
import { conversationsetting } from './conversationsetting.ts'
import { conversationtest } from './conversationtest.ts'
import { deploymentsettings } from './deploymentsettings.ts'
import { deskagent } from './deskagent.ts'
import { deskqueue } from './deskqueue.ts'
import { desksetting } from './desksetting.ts'
import { dialog } from './dialog.ts'
import { dialogtask } from './dialogtask.ts'
import { entityvaluepair } from './entityvaluepair.ts'
import { globalvariable } from './globalvariable.ts'
import { handler } from './handler.ts'
import { hierarchy } from './hierarchy.ts'
import { identityprovider } from './identityprovider.ts'
import { integration } from './integration.ts'
import { intent, nluintent } from './intent.ts'
import { intentgroup } from './intentgroup.ts'
import { intentmapping } from './intentmapping.ts'
import { botspecificlocalemessage, localemessage } from './localemessage.ts'
import { metaaccount } from './metaaccount.ts'
import { metaapp } from './metaapp.ts'
import { metricalert } from './metricalert.ts'
import { mlchannel } from './mlchannel.ts'
import { nluproject } from './nluproject.ts'
import { nluprojectentity } from './nluprojectentity.ts'
import { nlusettings } from './nlusettings.ts'
import { oauth } from './oauth.ts'
import { optoutsetting } from './optoutsetting.ts'
import { pricelist } from './pricelist.ts'
import { regex } from './regex.ts'
import { releasenote } from './releasenote.ts'
import { report } from './report.ts'
import { reportgroup } from './reportgroup.ts'
import { role } from './role.ts'
import { segment } from './segment.ts'
import { serviceaccount } from './serviceaccount.ts'
import { sitesearchindex } from './sitesearchindex.ts'
import { story } from './story.ts'
import { synonym } from './synonym.ts'
import { template } from './template.ts'
import { theme } from './theme.ts'
import { tinyurlmapping } from './tinyurlmapping.ts'
import { user } from './user.ts'
import { usergroup } from './usergroup.ts'
import { usertip } from './usertip.ts'
import { variable } from './variable.ts'
import { variableschema } from './variableschema.ts'
import { version } from './version.ts'
import { webhook } from './webhook.ts'

/** Every entity, one line each, in the order of the menus. */
export const ENTITIES = checkedEntities({
  bot,
  dialogtask,
  dialog,
  handler,
  dialogcomment,
  handlercomment,
  version,
  conversationtest,
  channel,
  agentchannel,
  mlchannel,
  botservice,
  variable,
  variableschema,
  globalvariable,
  conversationsetting,
  botadvancedsetting,
  botspecificlocalemessage,
  integration,
  oauth,
  intentgroup,
  intentmapping,
  entityvaluepair,
  chatinterface,
  theme,
  usertip,
  metricalert,
  nluproject,
  intent,
  nluprojectentity,
  synonym,
  regex,
  story,
  brain,
  nluintent,
  nlusettings,
  deskqueue,
  desksetting,
  cannedanswer,
  localemessage,
  codesample,
  releasenote,
  deploymentsettings,
  metaapp,
  metaaccount,
  template,
  campaign,
  campaignuploadprofile,
  contactlist,
  segment,
  campaignupload,
  optoutsetting,
  pricelist,
  tinyurlmapping,
  webhook,
  cloudfile,
  sitesearchindex,
  report,
  reportgroup,
  user,
  deskagent,
  usergroup,
  role,
  serviceaccount,
  apitoken,
  identityprovider,
  hierarchy,
} as const satisfies Record<string, EntityDeclaration>)

export type EntityName = keyof typeof ENTITIES

export const isEntityName = (name: string): name is EntityName => Object.hasOwn(ENTITIES, name)
export const entityOf = (name: EntityName): EntityDeclaration => ENTITIES[name]
