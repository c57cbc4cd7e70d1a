import { Button } from '@chakra-ui/react'
import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { chooseLanguage } from '#web/i18n/i18n.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#web/i18n/path-language.ts'

/** The language of the console, remembered in this browser. */
export const LanguageMenu = ({ long = false }: { readonly long?: boolean }) => {
  const { t, i18n } = useTranslation('shell')
  const chosen = LANGUAGES.find(language => language === i18n.language) ?? 'pt'
  return (
    <ActionMenu
      label={t('language')}
      align={long ? 'start' : 'end'}
      actions={LANGUAGES.map(language => ({
        id: language,
        label: LANGUAGE_NAMES[language],
        checked: language === chosen,
        run: () => void chooseLanguage(language),
      }))}
    >
      <Button variant="ghost" px="2" aria-label={`${t('language')}: ${LANGUAGE_NAMES[chosen]}`}>
        <Globe size={16} strokeWidth={1.75} aria-hidden="true" />
        {long ? LANGUAGE_NAMES[chosen] : chosen.toUpperCase()}
      </Button>
    </ActionMenu>
  )
}
