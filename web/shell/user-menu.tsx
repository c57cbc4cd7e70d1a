import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { LockKeyhole, LogOut, Monitor, MonitorSmartphone, Moon, ShieldCheck, Sun } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Session, useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { notice } from '#web/notice/notice.ts'
import { COLOR_MODES, chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'

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
    { id: 'signout', label: t('user.signout'), icon: LogOut, separated: true, run: leave },
  ]
}

/** Oneself: look, password, second factor, the way out. */
export const UserMenu = () => {
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
