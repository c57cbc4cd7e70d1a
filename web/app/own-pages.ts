import type { ComponentType } from 'react'

type OwnPages = Readonly<Record<string, () => Promise<ComponentType>>>

/** Pages by entity and path that replace the generated ones of an entity whose declaration says `page: 'own'`. */
export const OWN_PAGES: Readonly<Record<string, OwnPages>> = {
  agentchannel: {
    '/bot/agentchannel/:id': async () =>
      (await import('#web/features/agentchannel/agent-channel-page.tsx')).AgentChannelsPage,
    '/agentchannel/search': async () =>
      (await import('#web/features/agentchannel/agent-channel-page.tsx')).AgentChannelsPage,
    '/agentchannel/queue/:id': async () => (await import('#web/features/agentchannel/queue-page.tsx')).QueuePage,
    '/agentchannel/:id': async () =>
      (await import('#web/features/agentchannel/agent-channel-page.tsx')).AgentChannelPage,
  },
  apitoken: {
    '/access': async () => (await import('#web/features/apitoken/access-page.tsx')).AccessPage,
    '/apitoken': async () => (await import('#web/features/apitoken/access-page.tsx')).NewTokenPage,
    '/apitoken/new': async () => (await import('#web/features/apitoken/access-page.tsx')).NewTokenPage,
  },
  bot: {
    '/bot/search': async () => (await import('#web/features/bot/bot-list-page.tsx')).BotListPage,
    '/bot/new': async () => (await import('#web/features/bot/new-bot-page.tsx')).NewBotPage,
    '/bot/settings/botlogs/:id': async () => (await import('#web/features/bot/log/log-page.tsx')).LogPage,
    '/bot/:id': async () => (await import('#web/features/bot/bot-page.tsx')).BotPage,
  },
  botservice: {
    '/bot/botservice/:id': async () => (await import('#web/features/bot/services-page.tsx')).ServicesPage,
  },
  botspecificlocalemessage: {
    '/botspecificlocalemessage/search': async () =>
      (await import('#web/features/message/message-list-page.tsx')).MessageListPage,
    '/bot/settings/botspecificlocalemessage/:bot': async () =>
      (await import('#web/features/message/message-list-page.tsx')).MessageListPage,
  },
  brain: {
    '/brain/nluintent/:id': async () => (await import('#web/features/statement/index.ts')).QuestionsPage,
    '/brain/training/:id': async () => (await import('#web/features/training/training-page.tsx')).BrainTrainingPage,
    '/brain/testnlu/:id': async () => (await import('#web/features/training/test-page.tsx')).BrainTestPage,
  },
  campaign: {
    '/campaignmanagement/channel/app/campaign/search': async () =>
      (await import('#web/features/campaign/list-page.tsx')).CampaignListPage,
    '/campaign/search': async () => (await import('#web/features/campaign/list-page.tsx')).CampaignListPage,
    '/bot/campaign/search': async () => (await import('#web/features/campaign/list-page.tsx')).BotCampaignsPage,
    '/campaignmanagement/campaign/create': async () =>
      (await import('#web/features/campaign/create/create-page.tsx')).CreatePage,
    '/campaign': async () => (await import('#web/features/campaign/create/create-page.tsx')).CreatePage,
    '/campaign/new': async () => (await import('#web/features/campaign/create/create-page.tsx')).CreatePage,
    '/campaign/:id': async () => (await import('#web/features/campaign/report/campaign-page.tsx')).CampaignPage,
    '/campaign/settings/:id?': async () =>
      (await import('#web/features/campaign/report/campaign-page.tsx')).CampaignSettingsPage,
  },
  campaignupload: {
    '/campaignupload/:id': async () => (await import('#web/features/campaignupload/upload-page.tsx')).UploadPage,
  },
  campaignuploadprofile: {
    '/campaignuploadprofile/:id': async () =>
      (await import('#web/features/campaignupload/upload-page.tsx')).UploadProfilePage,
  },
  channel: {
    '/bot/channel/:bot': async () => (await import('#web/features/channel/channels-page.tsx')).ChannelsPage,
    '/channel/search': async () => (await import('#web/features/channel/channels-page.tsx')).AllChannelsPage,
    '/channel/:id': async () => (await import('#web/features/channel/channel-page.tsx')).ChannelPage,
  },
  cloudfile: {
    '/tools/uploadfiletocloud': async () => (await import('#web/features/cloudfile/cloud-file-page.tsx')).CloudFilePage,
    '/cloudfile/new': async () => (await import('#web/features/cloudfile/cloud-file-page.tsx')).CloudFilePage,
    '/cloudfile/:id': async () => (await import('#web/features/cloudfile/cloud-file-page.tsx')).CloudFileDetail,
  },
  contactlist: {
    '/contactlist/search': async () => (await import('#web/features/contactlist/lists-page.tsx')).ListsPage,
    '/contactlist/:id': async () => (await import('#web/features/contact/contacts-page.tsx')).ListContactsPage,
    '/contactlist/settings/:id?': async () =>
      (await import('#web/features/contactlist/lists-page.tsx')).ListSettingsPage,
  },
  conversationtest: {
    '/bot/conversationtest/:id': async () => (await import('#web/features/conversationtest/tests-page.tsx')).TestsPage,
  },
  deskqueue: {
    '/deskqueue/search': async () => (await import('#web/features/desk/queues-page.tsx')).QueuesPage,
    '/deskqueue/:id': async () => (await import('#web/features/desk/queues-page.tsx')).QueuePage,
  },
  dialogtask: {
    '/bot/dialogtask/:bot?': async () => (await import('#web/features/dialogtask/task-list-page.tsx')).TaskListPage,
    '/dialogtask/:id': async () => (await import('#web/features/dialogtask/task-page.tsx')).TaskPage,
  },
  hierarchy: {
    '/hierarchy': async () => (await import('#web/features/hierarchy/hierarchy-page.tsx')).HierarchyPage,
    '/hierarchy/:id': async () => (await import('#web/features/hierarchy/level-alerts.tsx')).LevelPage,
  },
  intent: {
    '/intent/statementdesigner/:id': async () => (await import('#web/features/statement/index.ts')).IntentDesignerPage,
  },
  localemessage: {
    '/localemessage/search': async () => (await import('#web/features/message/message-list-page.tsx')).MessageListPage,
  },
  metaaccount: {
    '/metaaccount/:id': async () => (await import('#web/features/metaaccount/meta-account-page.tsx')).MetaAccountPage,
    '/meta/account/:id': async () =>
      (await import('#web/features/metaaccount/meta-account-page.tsx')).MetaAccountAddress,
  },
  mlchannel: {
    '/mlchannel/:id': async () =>
      (await import('#web/features/external-system/external-system-pages.tsx')).MlChannelPage,
  },
  nluintent: {
    '/nluintent/statementdesigner/:id': async () =>
      (await import('#web/features/statement/index.ts')).QuestionDesignerPage,
  },
  identityprovider: {
    '/identityprovider/:id': async () =>
      (await import('#web/features/identityprovider/identity-provider-page.tsx')).IdentityProviderPage,
  },
  nluproject: {
    '/nluproject/intent/:id': async () => (await import('#web/features/statement/index.ts')).IntentsPage,
    '/nluproject/training/:id': async () => (await import('#web/features/training/training-page.tsx')).TrainingPage,
    '/nluproject/testnlu/:id': async () => (await import('#web/features/training/test-page.tsx')).TestPage,
    '/nluproject/unrecognized/:id': async () =>
      (await import('#web/features/unrecognized/unrecognized-page.tsx')).UnrecognizedPage,
  },
  nlusettings: {
    '/nlusettings': async () =>
      (await import('#web/features/external-system/external-system-pages.tsx')).NluSettingsPage,
    '/nlusettings/:id': async () =>
      (await import('#web/features/external-system/external-system-pages.tsx')).NluSettingsPage,
  },
  oauth: {
    '/oauth/:id': async () => (await import('#web/features/external-system/external-system-pages.tsx')).OAuthPage,
  },
  template: {
    '/template/search': async () => (await import('#web/features/template/template-page.tsx')).TemplateList,
    '/campaignmanagement/channel/app/template/search': async () =>
      (await import('#web/features/template/template-page.tsx')).TemplateList,
    '/campaignmanagement/channel/app/template/:id?': async () =>
      (await import('#web/features/template/template-page.tsx')).TemplateAddress,
    '/template/:id': async () => (await import('#web/features/template/template-page.tsx')).TemplatePage,
  },
  user: {
    '/user/:id': async () => (await import('#web/features/user/user-page.tsx')).UserPage,
  },
  usergroup: {
    '/usergroup/:id': async () => (await import('#web/features/user/user-page.tsx')).GroupPage,
  },
  version: {
    '/version/search': async () => (await import('#web/features/version/version-page.tsx')).VersionPage,
    '/version': async () => (await import('#web/features/version/version-page.tsx')).VersionPage,
    '/version/:id': async () => (await import('#web/features/version/version-page.tsx')).VersionPage,
  },
  webhook: {
    '/webhook': async () => (await import('#web/features/webhook/webhook-page.tsx')).NewWebhookPage,
    '/webhook/new': async () => (await import('#web/features/webhook/webhook-page.tsx')).NewWebhookPage,
    '/webhook/:id': async () => (await import('#web/features/webhook/webhook-page.tsx')).WebhookPage,
  },
}
