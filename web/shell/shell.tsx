import { Box, chakra, Flex } from '@chakra-ui/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { DesignerSkeleton } from '#web/components/designer-skeleton.tsx'
import { EnvironmentBar } from '#web/components/environment-bar.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { latePart, useLatePart } from '#web/lazy-module.ts'
import { CommandPalette } from './command-palette.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { OfflineBand } from './offline-band.tsx'
import { Toolbar } from './toolbar.tsx'
import { useBotBehind } from './use-bot-behind.ts'
import { useInstanceTab } from './use-instance-tab.ts'
import { MIDDLE, NARROW, useMedia } from './use-media.ts'
import { useNotifications } from './use-notification.ts'
import { useShortcut } from './use-shortcut.ts'

/** Requested with the shell, not with its first render, which waits for the session. */
const drawerModule = latePart(() => import('./drawer.tsx'))
// `useLatePart` handles the failure and retries; a page without a drawer does not need it.
drawerModule.load().catch(() => {})
const SeeAsBand = lazy(() => import('./see-as-band.tsx').then(m => ({ default: m.SeeAsBand })))
const DrawerOver = lazy(() => import('./drawer-over.tsx').then(m => ({ default: m.DrawerOver })))

const KEY = 'parley.drawer'

const useDrawer = () => {
  const middle = useMedia(MIDDLE)
  const [stored, setStored] = useState(() => localStorage.getItem(KEY))
  const mini = stored === null ? middle : stored === 'mini'
  const toggle = () => {
    const next = mini ? 'full' : 'mini'
    localStorage.setItem(KEY, next)
    setStored(next)
  }
  return { mini, toggle }
}

const SkipLink = () => {
  const { t } = useTranslation('shell')
  return (
    <chakra.a
      href="#content"
      position="absolute"
      left="2"
      top="-12"
      zIndex="toast"
      bg="bg.inverted"
      color="fg.inverted"
      px="3"
      py="2"
      borderRadius="md"
      _focus={{ top: '2' }}
    >
      {t('skip')}
    </chakra.a>
  )
}

/**
 * Frame of every page: bar, toolbar, side menu; `bare` pages (the designer) have the bar alone. `data-path` is the address
 * of the page that is shown, which differs from the location while the code of the next page loads.
 */
export const Shell = ({ bare = false }: { readonly bare?: boolean }) => {
  const { pathname } = useLocation()
  const { user } = useSession()
  const narrow = useMedia(NARROW)
  const { mini, toggle } = useDrawer()
  const { value: drawer } = useLatePart(drawerModule)
  const [over, setOver] = useState(false)
  const [palette, setPalette] = useState(false)
  useBotBehind()
  useInstanceTab()
  useNotifications()
  useShortcut('[', toggle, !narrow && !bare)
  useShortcut('mod+k', () => setPalette(true))
  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes what lies over the page
  useEffect(() => {
    setOver(false)
    setPalette(false)
  }, [pathname])
  return (
    <Flex direction="column" h="100dvh" overflow="hidden">
      <SkipLink />
      <EnvironmentBar />
      <LoadingBar />
      <Suspense>{user.seenby === undefined ? null : <SeeAsBand />}</Suspense>
      {/* The designer says it in its bar: a page that shifts would let the pointer miss what it was about to take up. */}
      {bare && !narrow ? null : <OfflineBand />}
      {bare ? null : <Toolbar mini={mini} onMenu={() => setOver(true)} onSearch={() => setPalette(true)} />}
      <Flex flex="1" minH="0">
        {bare || narrow ? null : (
          <Box
            w={mini ? 'drawerMini' : 'drawer'}
            flex="none"
            borderRightWidth="1px"
            bg="bg"
            transition="width 240ms cubic-bezier(.2,.8,.2,1)"
          >
            {drawer ? <drawer.Drawer mini={mini} onToggle={toggle} /> : null}
          </Box>
        )}
        <chakra.main
          id="content"
          data-path={pathname}
          tabIndex={-1}
          outline="none"
          flex="1"
          minW="0"
          minH="0"
          display="flex"
          flexDirection="column"
        >
          <Suspense fallback={bare ? <DesignerSkeleton /> : <PageSkeleton />}>
            <Outlet />
          </Suspense>
        </chakra.main>
      </Flex>
      {palette ? <CommandPalette onClose={() => setPalette(false)} /> : null}
      <Suspense>{over ? <DrawerOver onClose={() => setOver(false)} /> : null}</Suspense>
    </Flex>
  )
}
