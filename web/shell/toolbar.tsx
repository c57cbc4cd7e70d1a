import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  KeyRound,
  LockKeyhole,
  LogOut,
  Mail,
  Menu,
  Monitor,
  MonitorSmartphone,
  Moon,
  Search,
  ShieldCheck,
  Sun,
} from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useInstance } from '#web/api/early-read.ts'
import { type Session, useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { HelpButton } from '#web/help/help-button.tsx'
import { lazyPart } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { COLOR_MODES, chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'
import { Bell } from './bell.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { LevelButton } from './level-button.tsx'
import { releaseQuery, versionOf } from './release-note.ts'
import { NARROW, PHONE, useMedia } from './use-media.ts'

const MODE_ICONS = { light: Sun, dark: Moon, system: Monitor }

const Who = ({ user }: { readonly user: Session['user'] }) => (
  <HStack px="2" pt="1" pb="2.5" mb="1.5" gap="2.5" borderBottomWidth="1px">
    <PersonAvatar person={user} size={32} />
    <Box minW="0">
      <Text textStyle="card" truncate>
        {nameOf(user)}
      </Text>
      <Text textStyle="secondary" color="fg.muted" truncate>
        {user.username}
      </Text>
    </Box>
  </HStack>
)

const useActions = (leave: () => void): readonly MenuAction[] => {
  const { t } = useTranslation('shell')
  const { mode } = useColorMode()
  const { can } = useSession()
  const { mail } = useInstance()
  const navigate = useNavigate()
  return [
    ...COLOR_MODES.map(one => ({
      id: one,
      label: t(`theme.${one}`),
      icon: MODE_ICONS[one],
      checked: one === mode,
      run: () => chooseColorMode(one),
    })),
    {
      id: 'password',
      label: t('user.password'),
      icon: LockKeyhole,
      separated: true,
      run: () => void navigate('/password/passwordchange'),
    },
    {
      id: 'twofactor',
      label: t('user.twofactor'),
      icon: ShieldCheck,
      run: () => void navigate('/account/twofactor'),
    },
    {
      id: 'sessions',
      label: t('user.sessions'),
      icon: MonitorSmartphone,
      run: () => void navigate('/account/sessions'),
    },
    ...(can('createapitoken')
      ? [{ id: 'tokens', label: t('user.tokens'), icon: KeyRound, run: () => void navigate('/account/tokens') }]
      : []),
    ...(mail ? [{ id: 'mail', label: t('user.mail'), icon: Mail, run: () => void navigate('/account/mail') }] : []),
    { id: 'signout', label: t('user.signout'), icon: LogOut, separated: true, run: leave },
  ]
}

/** Oneself: look, password, second factor, the way out. */
const UserMenu = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const [leaving, setLeaving] = useState<ReactNode>()
  const leave = async () => {
    try {
      const { SignOut } = await import('./sign-out.tsx')
      setLeaving(<SignOut onStay={() => setLeaving(undefined)} />)
    } catch {
      notice.toast(t('error.noanswer'), { tone: 'danger' })
    }
  }
  const actions = useActions(() => void leave())
  return (
    <>
      {leaving}
      <ActionMenu label={t('user.menu')} header={<Who user={user} />} actions={actions}>
        <chakra.button
          type="button"
          aria-label={`${t('user.menu')}: ${nameOf(user)}`}
          display="inline-flex"
          p={{ base: '1', md: '0.5' }}
          borderRadius="full"
          cursor="pointer"
          flex="none"
          focusVisibleRing="outside"
        >
          <PersonAvatar person={user} size={28} />
        </chakra.button>
      </ActionMenu>
    </>
  )
}

const ReleaseNotes = lazyPart(async () => (await import('./release-notes.tsx')).ReleaseNotes)

/** The latest version, and what came with it. */
const ReleaseButton = () => {
  const { t } = useTranslation('shell')
  const note = useQuery(releaseQuery).data
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const label = `V ${versionOf(note)}`
  return (
    <>
      <Hint text={t('release.title')}>
        <chakra.button
          ref={anchor}
          type="button"
          aria-label={`${label}, ${t('release.title')}`}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          h="6"
          px="2"
          borderRadius="full"
          borderWidth="1px"
          borderColor="border.emphasized"
          fontSize="2xs"
          color="fg.muted"
          whiteSpace="nowrap"
          cursor="pointer"
          _hover={{ bg: 'bg.subtle', color: 'fg' }}
          focusVisibleRing="outside"
        >
          {label}
        </chakra.button>
      </Hint>
      {open ? (
        <Suspense>
          <ReleaseNotes anchor={anchor.current} note={note ?? {}} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

interface Props {
  readonly mini: boolean
  onMenu(): void
  onSearch(): void
}

const SearchBox = ({ onSearch }: { readonly onSearch: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <chakra.button
      type="button"
      onClick={onSearch}
      display="flex"
      alignItems="center"
      gap="2"
      h="8"
      w="100%"
      maxW="380px"
      px="2.5"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="md"
      bg="bg"
      color="fg.subtle"
      fontSize="sm"
      cursor="pointer"
      _hover={{ borderColor: 'fg.muted' }}
      focusVisibleRing="outside"
    >
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <Text as="span" flex="1" textAlign="start" truncate>
        {t('search.open')}
      </Text>
      <Kbd>Ctrl K</Kbd>
    </chakra.button>
  )
}

const HomeLink = () => (
  <RouterLink
    to="/"
    aria-label="Parley"
    display="flex"
    alignItems="center"
    gap="9px"
    borderRadius="md"
    focusVisibleRing="outside"
  >
    <Mark />
    <Text as="span" fontSize="lg" fontWeight="semibold" letterSpacing="-0.2px" hideBelow="md">
      Parley
    </Text>
  </RouterLink>
)

/** Which product, which installation, where in the tree, who: the same on every page. */
export const Toolbar = ({ mini, onMenu, onSearch }: Props) => {
  const { t } = useTranslation('shell')
  const phone = useMedia(PHONE)
  const narrow = useMedia(NARROW)
  return (
    <chakra.header
      display="flex"
      alignItems="center"
      gap={{ base: '1', md: '2.5' }}
      h="toolbar"
      flex="none"
      pe={{ base: '2', md: '4' }}
      bg="bg.surface"
      borderBottomWidth="1px"
      zIndex="sticky"
    >
      <HStack w={narrow || mini ? 'auto' : 'drawer'} flex="none" px={{ base: '2', lg: '4' }} gap="2">
        {narrow ? (
          <IconButton
            icon={Menu}
            label={t('menu.open')}
            onClick={onMenu}
            size={phone ? 'xl' : 'md'}
            px="0"
            iconSize={20}
          />
        ) : null}
        <HomeLink />
        <Box flex="1" />
        {phone ? null : <ReleaseButton />}
      </HStack>
      <InstanceBadge />
      {phone ? (
        <>
          <Box flex="1" />
          <IconButton icon={Search} label={t('search.open')} onClick={onSearch} size="xl" iconSize={20} />
        </>
      ) : (
        <HStack flex="1" justify="center" px="2" minW="0">
          <SearchBox onSearch={onSearch} />
        </HStack>
      )}
      {phone ? null : (
        <>
          <LevelButton />
          <LanguageMenu />
        </>
      )}
      <HelpButton />
      <Bell />
      <UserMenu />
    </chakra.header>
  )
}
