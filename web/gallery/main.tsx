import '#web/features/designer/canvas/chrome.css'
import { ChakraProvider } from '@chakra-ui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { queryClient } from '#web/api/query-client.ts'
import { startI18n } from '#web/i18n/i18n.ts'
import { NoticeHost } from '#web/notice/notice-host.tsx'
import { systemOf } from '#web/theme/system.ts'
import { Gallery } from './gallery.tsx'

const BOTS = [
  { id: 'b1', name: 'Clinic' },
  { id: 'b2', name: 'Insurance' },
]

const READER = {
  id: 'reader',
  username: 'reader',
  firstname: null,
  lastname: null,
  profilepic: null,
  language: 'en',
  hierarchylevel: 'root',
  permissions: ['readbot'],
}

/** The page has no server: references find two bots. */
const answerOf = (url: string): unknown => {
  if (url.endsWith('/auth/user')) return { user: READER }
  if (url.endsWith('/selectfromoriginallevel')) return [{ id: 'root', name: 'Root', parent: null }]
  if (url.endsWith('/names')) return { bot: Object.fromEntries(BOTS.map(({ id, name }) => [id, name])) }
  return BOTS.find(({ id }) => url.endsWith(`/bot/${id}`)) ?? { items: BOTS, total: BOTS.length }
}

const browserFetch = window.fetch
window.fetch = async (input, init) => {
  const url = String(input)
  return url.includes('/botadmin/api/') ? Response.json(answerOf(url)) : browserFetch(input, init)
}

const fileIn = (form: unknown) => {
  const file = form instanceof FormData ? form.get('file') : null
  return file instanceof File ? { id: 'b'.repeat(64), name: file.name, type: file.type, size: file.size } : {}
}

/** An upload answers with the file. The typed client sends it with XMLHttpRequest, which reports progress. */
window.XMLHttpRequest = class extends XMLHttpRequest {
  override send(body?: Document | XMLHttpRequestBodyInit | null): void {
    super.open('GET', URL.createObjectURL(new Blob([JSON.stringify(fileIn(body))])))
    super.send()
  }
}

const start = async () => {
  const root = document.getElementById('root')
  if (root === null) throw new Error('gallery.html has no #root')
  await startI18n()
  createRoot(root).render(
    <ChakraProvider value={systemOf('production')}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Gallery />
          <NoticeHost />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  )
}

void start()
