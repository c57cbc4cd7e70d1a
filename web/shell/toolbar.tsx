import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Menu, Search } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { Bell } from './bell.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { LevelButton } from './level-button.tsx'
import { releaseQuery, versionOf } from './release-note.ts'
import { NARROW, PHONE, useMedia } from './use-media.ts'
import { UserMenu } from './user-menu.tsx'

const ReleaseNotes = lazy(() => import('./release-notes.tsx').then(m => ({ default: m.ReleaseNotes })))

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

const RouterLink = chakra(Link)

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
      gap="2.5"
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
      <Bell />
      <UserMenu />
    </chakra.header>
  )
}
