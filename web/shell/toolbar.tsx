import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { Menu, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconButton } from '#web/components/icon-button.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { Bell } from './bell.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { LevelButton } from './level-button.tsx'
import { ReleaseButton } from './release-button.tsx'
import { NARROW, PHONE, useMedia } from './use-media.ts'
import { UserMenu } from './user-menu.tsx'

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
