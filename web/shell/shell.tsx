import { Box, chakra, Flex, HStack, Kbd, Text } from '@chakra-ui/react'
import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { CloudOff, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { projection } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useOpenDialog } from '#web/components/modal.tsx'
import { DesignerSkeleton, PageSkeleton } from '#web/components/page-skeleton.tsx'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { HelpHost } from '#web/help/help-host.tsx'
import { lazyModule, lazyPart, useLazyModule } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import type { CommandListProps } from './command-list.tsx'
import { createPendingIndicator } from './pending-indicator.ts'
import { EnvironmentBar, PageLoadingNotice } from './shell-skeleton.tsx'
import { Toolbar } from './toolbar.tsx'
import { useInstanceTab } from './use-instance-tab.ts'
import { MIDDLE, NARROW, useMedia } from './use-media.ts'
import { useNotifications } from './use-notification.ts'
import { useShortcut } from './use-shortcut.ts'

const list = lazyModule(async () => (await import('./command-list.tsx')).CommandList)

/** Ctrl K: navigate, create, find by name. The field shows at once; results load when first opened. */
const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const dialog = useOpenDialog()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [active, setActive] = useState<string>()
  const keys: CommandListProps['keys'] = useRef(undefined)
  const last = useRef('')
  const { value: CommandList, error } = useLazyModule(list)
  return (
    <chakra.dialog
      ref={dialog}
      aria-label={t('search.open')}
      onCancel={onClose}
      onPointerDown={event => {
        if (event.target === event.currentTarget) onClose()
      }}
      m="0 auto"
      mt={{ base: '3', md: '12vh' }}
      p="0"
      w="calc(100vw - 24px)"
      maxW="640px"
      bg="bg.raised"
      color="fg"
      borderWidth="1px"
      borderRadius="xl"
      boxShadow="overlay"
      overflow="hidden"
      _backdrop={{ bg: 'rgba(20,19,17,.32)' }}
      animation="fade-in 90ms"
    >
      <HStack px="4" h="52px" gap="3" borderBottomWidth="1px">
        <Search size={17} aria-hidden="true" />
        <chakra.input
          flex="1"
          minW="0"
          fontSize="lg"
          bg="transparent"
          outline="none"
          role="combobox"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={active}
          aria-label={t('search.open')}
          placeholder={t('search.placeholder')}
          autoFocus
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={event => {
            last.current = event.key
            keys.current?.(event)
          }}
        />
        <Kbd>Esc</Kbd>
      </HStack>
      {CommandList === undefined ? null : (
        <CommandList {...{ typed, at, keys, last, onClose }} onPoint={setAt} onActive={setActive} />
      )}
      {error === undefined ? null : (
        <Text role="alert" px="4" py="3" textStyle="dense">
          {t('search.unloaded')}
        </Text>
      )}
    </chakra.dialog>
  )
}

const isOfBot = (path: string): boolean => {
  const [, entity = ''] = path.split('/')
  return entity === 'bot' || ENTITY_PLACES.get(entity)?.place.bot !== undefined
}

/** Says that a bot does not run yet with what was just stored of it (C-8.17). */
const useBotBehind = (): void => {
  const { t } = useTranslation('shell')
  useEffect(() => {
    const tell = (event: Event) => {
      if (event instanceof CustomEvent && isOfBot(String(event.detail)))
        notice.toast(t('botbehind'), { tone: 'danger' })
    }
    projection.addEventListener('behind', tell)
    return () => projection.removeEventListener('behind', tell)
  }, [t])
}

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Said once above the page while there is no connection. */
const OfflineBand = () => {
  const { t } = useTranslation('shell')
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <HStack role="status" bg="warning.subtle" color="warning.fg" px="4" py="1.5" gap="2" fontSize="xs" flex="none">
      <CloudOff size={14} aria-hidden="true" />
      <Text>{t('offline')}</Text>
    </HStack>
  )
}

/** Time until the bar is full; longer loads show a moving light over it. */
const DURATION_MS = 5000

const FILL = {
  content: '""',
  position: 'absolute',
  inset: '0',
  bg: 'accent.solid',
  transformOrigin: 'left',
  animation: `parley-fill ${DURATION_MS}ms cubic-bezier(.1,.7,.3,1) forwards`,
} as const
const LIGHT = {
  content: '""',
  position: 'absolute',
  insetBlock: '0',
  w: '30%',
  bg: 'bg.surface',
  opacity: '0.5',
  translate: '-100% 0',
  animation: `parley-run 1.1s ease-in-out ${DURATION_MS}ms infinite`,
} as const

/** Two pixels under the environment bar while something is under way, and a word where a page does not come. */
const LoadingBar = () => {
  const isBusy = useIsFetching() + useIsMutating() > 0
  const isGoing = useNavigation().state !== 'idle'
  const [isShown, setShown] = useState(false)
  const [pending] = useState(() => createPendingIndicator(setShown))
  useEffect(() => pending.set(isBusy || isGoing), [pending, isBusy, isGoing])
  return (
    <>
      <Box position="relative" h="0" zIndex="sticky" aria-hidden="true">
        {isShown ? (
          <Box
            data-loading=""
            position="absolute"
            insetInline="0"
            h="2px"
            bg="accent.emphasized"
            overflow="hidden"
            _before={FILL}
            _after={LIGHT}
          />
        ) : null}
      </Box>
      {isGoing ? <PageLoadingNotice /> : null}
    </>
  )
}

/** Requested with the shell, not with its first render, which waits for the session. */
const drawerModule = lazyModule(() => import('./drawer.tsx'))
// `useLazyModule` handles the failure and retries; a page without a drawer does not need it.
drawerModule.load().catch(() => {})
const SeeAsBand = lazyPart(async () => (await import('./see-as.tsx')).SeeAsBand)
const DrawerOver = lazyPart(async () => (await import('./drawer.tsx')).DrawerOver)

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
  const { value: drawer } = useLazyModule(drawerModule)
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
        <HelpHost isOver={narrow} />
      </Flex>
      {palette ? <CommandPalette onClose={() => setPalette(false)} /> : null}
      <Suspense>{over ? <DrawerOver onClose={() => setOver(false)} /> : null}</Suspense>
    </Flex>
  )
}
