import { ChakraProvider } from '@chakra-ui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query-client.ts'
import { InstanceContext, loadInstance, preloadSession } from './api/session.ts'
import { router } from './app/router.tsx'
import { ChatWindowHost } from './chat-window/chat-window-host.tsx'
import { loadProblemTexts, startI18n } from './i18n/i18n.ts'
import { basePath } from './i18n/path-language.ts'
import { NoticeHost } from './notice/notice-host.tsx'
import { systemOf } from './theme/system.ts'

const start = async () => {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const isOpen = ['/login', '/forgot', '/newpassword'].some(path => location.pathname === basePath() + path)
  if (!isOpen) preloadSession()
  const [instance] = await Promise.all([loadInstance(), startI18n()])
  createRoot(root).render(
    <ChakraProvider value={systemOf(instance.theme)}>
      <InstanceContext value={instance}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <ChatWindowHost />
          <NoticeHost />
        </QueryClientProvider>
      </InstanceContext>
    </ChakraProvider>,
  )
  // A form that needs them loads them as well.
  loadProblemTexts().catch(() => {})
}

void start()
