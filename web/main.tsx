import { ChakraProvider } from '@chakra-ui/react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { InstanceContext, loadInstance, preloadUser } from './api/early-read.ts'
import { createRouter, isOpenPage, preloadPages } from './app/router.tsx'
import { enterAddress, loadProblemTexts, startI18n } from './i18n/i18n.ts'
import { lazyModule, useLazyModule } from './lazy-module.ts'
import { watchRouter } from './page/watch-router.ts'
import { systemOf } from './theme/system.ts'

/** Comes with the code of the first page: nothing gives notice before, and no chat is open. */
const laterParts = lazyModule(() => import('./app/later-parts.tsx'))

const LaterParts = () => {
  const { value } = useLazyModule(laterParts)
  return value === undefined ? null : <value.LaterParts />
}

/** Loads modules and texts that no page needs at first. A page that needs one earlier loads it itself. */
const loadLater = async (isOpen: boolean) => {
  const { whenIdle } = await import('./idle.ts')
  whenIdle(() => {
    preloadPages(isOpen)
    loadProblemTexts()
  })
}

const start = async () => {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  enterAddress()
  const isOpen = isOpenPage()
  if (!isOpen) preloadUser()
  const [router, instance] = await Promise.all([createRouter(), loadInstance(), startI18n()])
  watchRouter(router)
  createRoot(root).render(
    <ChakraProvider value={systemOf(instance.theme)}>
      <InstanceContext value={instance}>
        <RouterProvider router={router} />
        <LaterParts />
      </InstanceContext>
    </ChakraProvider>,
  )
  // Each page that needs some of it reports the failure.
  loadLater(isOpen).catch(() => {})
}

void start()
