/** Opens a web chat that begins at once, and waits until the bot's first turn is over; answers the conversation's id. */
export const openChat = async (origin: string, channel: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/chat/${channel}/conversations`, { method: 'POST', headers, body: '{}' })
  const { conversation, token } = (await answer.json()) as { readonly conversation: string; readonly token: string }
  const messages = `${origin}/chat/conversations/${conversation}/messages?after=`
  for (;;) {
    const page = await fetch(messages, { headers: { authorization: `Bearer ${token}` } })
    const { state } = (await page.json()) as { readonly state: string }
    if (state !== 'active') return conversation
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
