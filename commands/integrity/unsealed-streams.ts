/** Streams that no seal covers, because taking them away is what they are for. */
export const OUTSIDE: readonly { readonly prefix: string; readonly reason: string }[] = [
  { prefix: 'request-', reason: 'answers kept for idempotency keys, removed after a day' },
  { prefix: 'origin-', reason: 'addresses and browsers of sessions and attempts to sign in, removed after 90 days' },
  { prefix: 'conversation-', reason: 'conversations, removed when they have been kept long enough' },
  { prefix: 'delivery-', reason: 'what became of messages of conversations, removed with them' },
  { prefix: 'inbox-', reason: 'what providers of channels told, removed once they do not tell it again' },
  { prefix: 'conversationday-', reason: 'sums of conversations that were removed' },
  { prefix: 'botuser-', reason: 'what bots keep of people, removed with them' },
  { prefix: 'chatperson-', reason: 'which conversation of a person is the newest, an id alone' },
  { prefix: 'campaignrun-', reason: 'what is sent of a campaign, very many events in little time' },
  { prefix: 'receipts-', reason: 'what became of messages of campaigns, as often as Meta tells it' },
  { prefix: 'sender-', reason: 'which node sends from a number, the newest alone' },
  {
    prefix: 'audience-',
    reason: 'who is in the audience of a campaign, under keys that are destroyed when people are forgotten',
  },
  { prefix: 'uploadrows-', reason: 'what an upload read, under the same keys' },
  { prefix: 'suppression-', reason: 'who gets no campaigns' },
  { prefix: 'contactkeys-', reason: 'keys of contacts, written again without the keys of those who are forgotten' },
  { prefix: 'userkey-', reason: "people's own keys, removed when somebody is forgotten" },
]

export const isOutside = (stream: string): boolean => OUTSIDE.some(({ prefix }) => stream.startsWith(prefix))
