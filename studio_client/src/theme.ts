// Colours of the page for what is drawn on canvases.

export interface Theme {
  paper: string;
  dots: string;
  ink: string;
  faint: string;
  accent: string;
  bad: string;
  warn: string;
  signal: string;
  good: string;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: value("paper"),
    dots: value("dots"),
    ink: value("ink"),
    faint: value("faint"),
    accent: value("accent"),
    bad: value("bad"),
    warn: value("warn"),
    signal: value("signal"),
    good: value("good"),
  };
}
