// Made from the records in tellegen/studio/messages by their typescript.py: do not edit.

/** The first message; without the token of the address nothing else is answered. */
export interface Hello {
  kind: "Hello";
  token: string;
}

/** A file of the folder; an empty class is the last one with parts. */
export interface Open {
  kind: "Open";
  path: string;
  cls: string;
}

/** A new file with an empty model. */
export interface New {
  kind: "New";
  path: string;
  cls: string;
}

/** The code of the opened folder may be run, now and later. */
export interface Trust {
  kind: "Trust";
}

/** A new part of a class (`electrical.Resistor`, or a class of the file); an empty name is chosen. */
export interface AddPart {
  kind: "AddPart";
  cls: string;
  name: string;
  x: number;
  y: number;
  turned: string;
}

/** A new part with a line from its port to one that is there. */
export interface AddConnected {
  kind: "AddConnected";
  cls: string;
  port: string;
  to: string;
  x: number;
  y: number;
}

/** A new part in a line: from `first` to its port `input`, from its port `output` to `second`. */
export interface PutBetween {
  kind: "PutBetween";
  cls: string;
  input: string;
  output: string;
  wire: number;
  first: string;
  second: string;
}

/** What stands at a character of the text becomes another; nothing is done where something else stands there. */
export interface ReplaceText {
  kind: "ReplaceText";
  start: number;
  before: string;
  after: string;
}

/** Parts, with the ends of wires at them. */
export interface RemoveParts {
  kind: "RemoveParts";
  names: string[];
}

/** Another name for a part, wherever the class uses it. */
export interface RenamePart {
  kind: "RenamePart";
  old: string;
  new: string;
}

/** A parameter of a part, as typed: `2.2 kohm`; empty for the default. */
export interface SetArgument {
  kind: "SetArgument";
  part: string;
  parameter: string;
  typed: string;
}

/** The value of a parameter of the class itself. */
export interface SetParameter {
  kind: "SetParameter";
  parameter: string;
  typed: string;
}

/** A wire between two ports, `motor.p` and `source.p`. */
export interface Connect {
  kind: "Connect";
  first: string;
  second: string;
}

/** One end of a wire; the wire goes with the last but one. */
export interface Disconnect {
  kind: "Disconnect";
  wire: number;
  end: string;
}

/** New places: parallel lists of parts and their centres. */
export interface MoveParts {
  kind: "MoveParts";
  names: string[];
  x: number[];
  y: number[];
}

/** An orientation: `r90`, `r180`, `r270`, each also with `m` for mirrored. */
export interface TurnPart {
  kind: "TurnPart";
  part: string;
  turned: string;
}

/** A part that was copied: its class, its arguments as text, its centre. */
export interface PastedPart {
  kind: "PastedPart";
  name: string;
  cls: string;
  arguments: Record<string, string>;
  x: number;
  y: number;
  turned: string;
  count: string;
  condition: string;
}

/** A connection among parts that were copied. */
export interface PastedWire {
  kind: "PastedWire";
  ends: string[];
}

/** Copies of parts, under free names, with the wires between them. */
export interface PasteParts {
  kind: "PasteParts";
  parts: PastedPart[];
  wires: PastedWire[];
}

/** Another class for a part, one with the same ports: arguments stay where the names fit. */
export interface ReplacePart {
  kind: "ReplacePart";
  part: string;
  cls: string;
}

/** A parameter of the model that a part gets its value from; an empty name is that of the part's parameter. */
export interface Propagate {
  kind: "Propagate";
  part: string;
  parameter: string;
  name: string;
}

/** The value of a variable of a part at the start of a run, as typed; empty for the default. */
export interface SetStart {
  kind: "SetStart";
  part: string;
  variable: string;
  typed: string;
}

/** How many parts of an array there are, as typed: a number or a structural parameter; empty for a single part. */
export interface SetCount {
  kind: "SetCount";
  part: string;
  typed: string;
}

/** The structural parameter, or expression of such, that a part exists for; empty for always. */
export interface SetCondition {
  kind: "SetCondition";
  part: string;
  typed: string;
}

/** Some parts become a component class of their own, of this name, and one part of it. */
export interface GroupParts {
  kind: "GroupParts";
  names: string[];
  cls: string;
}

/** A text on the sheet; an empty name is a new one, an empty text removes it. */
export interface SetNote {
  kind: "SetNote";
  note: string;
  text: string;
  x: number;
  y: number;
}

/** An operation on the class that is shown, made on a revision of the document. */
export interface Edit {
  kind: "Edit";
  path: string;
  cls: string;
  revision: number;
  operation: AddPart | AddConnected | PutBetween | ReplaceText | RemoveParts | RenamePart | SetArgument | SetParameter | Connect | Disconnect | MoveParts | TurnPart | PasteParts | ReplacePart | Propagate | SetStart | SetCount | SetCondition | GroupParts | SetNote;
}

/** One step back. */
export interface Undo {
  kind: "Undo";
  path: string;
}

/** One step forward again. */
export interface Redo {
  kind: "Redo";
  path: string;
}

/** Write the file; `anyway` also over changes of other programs. */
export interface Save {
  kind: "Save";
  path: string;
  anyway: boolean;
}

/** Read the file again; unsaved changes can be had back by undo. */
export interface Reload {
  kind: "Reload";
  path: string;
}

/** Whether the model is made and run as the script of its file does it. */
export interface AsScript {
  kind: "AsScript";
  path: string;
  on: boolean;
}

/** The equations and the documentation of a class of the library. */
export interface Describe {
  kind: "Describe";
  cls: string;
}

/** Parts of the catalogue by words and conditions: `faulhaber, torque_max > 0.1 N.m`. */
export interface FindParts {
  kind: "FindParts";
  search: string;
}

/** Simulate the document; `parameters` are values of sliders, by path. */
export interface Run {
  kind: "Run";
  path: string;
  stop: string;
  points: number;
  parameters: Record<string, number>;
  curves: string[];
  columns: number;
  listing: number;
}

/** Curves of a run with all its points, as long as it is the last one. */
export interface Curves {
  kind: "Curves";
  path: string;
  names: string[];
  number: number;
}

/** Stop the run, and the worker if it does not. */
export interface Cancel {
  kind: "Cancel";
  path: string;
}

/** One page about the model: model, equations, reduced, blocks, graph or report; time is about the last run. */
export interface Explain {
  kind: "Explain";
  what: string;
}

/** How the last value of a curve depends on the parameters. */
export interface Sensitivities {
  kind: "Sensitivities";
  of: string;
  stop: string;
  parameters: Record<string, number>;
}

/** A parameter between two values. */
export interface Range {
  kind: "Range";
  path: string;
  low: number;
  high: number;
}

/** A number of a run: final, peak, mean, rms, integral, overshoot, rise_time or settling_time of a curve. */
export interface Goal {
  kind: "Goal";
  number: string;
  curve: string;
}

/** Runs for `count` values of each parameter, all combinations. */
export interface Study {
  kind: "Study";
  ranges: Range[];
  count: number;
  goals: Goal[];
  stop: string;
  parameters: Record<string, number>;
}

/** A number of a run that must not be larger. */
export interface Limit {
  kind: "Limit";
  goal: Goal;
  most: number;
}

/** The values of parameters for which a number of the run is least, or largest. */
export interface Optimize {
  kind: "Optimize";
  goal: Goal;
  maximize: boolean;
  ranges: Range[];
  limits: Limit[];
  stop: string;
  parameters: Record<string, number>;
}

/** The values of parameters for which curves fit those of a file (CSV); `match` has the column of each curve. */
export interface Calibrate {
  kind: "Calibrate";
  file: string;
  match: Record<string, string>;
  ranges: Range[];
}

/** A page (HTML) that needs no server: `scene`, the last run in 3-D, or `live`, the model with sliders. */
export interface MakePage {
  kind: "MakePage";
  what: string;
  ranges: Range[];
  curves: string[];
  stop: string;
}

/** A question about the model that was checked last. */
export interface Ask {
  kind: "Ask";
  path: string;
  question: Explain | Sensitivities | Study | Optimize | Calibrate | MakePage;
}

/** What was done with the model as a script of Python. */
export interface Script {
  kind: "Script";
  path: string;
}

/** Run the file as the script that it is: as `python FILE` in the folder that is open. */
export interface StartScript {
  kind: "StartScript";
  path: string;
}

/** One of the runs that the last script made, by its number from 0. */
export interface ShowRun {
  kind: "ShowRun";
  path: string;
  number: number;
  curves: string[];
}

/** A port, signals included, `x` and `y` from the centre of the part; `only_if` is the condition it exists under. */
export interface PortShape {
  kind: "PortShape";
  name: string;
  role: string;
  type: string;
  colour: string;
  side: string;
  x: number;
  y: number;
  meaning: string;
  only_if: string;
  unit: string;
}

/** A parameter with its default as text. */
export interface ParameterShape {
  kind: "ParameterShape";
  name: string;
  unit: string;
  value: string;
  meaning: string;
  structural: boolean;
  choices: string[];
}

/** A variable that can be given a value at the start, with its default. */
export interface VariableShape {
  kind: "VariableShape";
  name: string;
  unit: string;
  start: string;
  meaning: string;
}

/** A class: `key` is its name in the library (`electrical.Resistor`), or that of a class in the user's file. */
export interface ClassShape {
  kind: "ClassShape";
  key: string;
  domain: string;
  headline: string;
  ports: PortShape[];
  parameters: ParameterShape[];
  drawing: string;
  boxed: boolean;
  height: number;
  colour: string;
  connector: boolean;
  starts: VariableShape[];
  abstract: boolean;
}

/** After the right token: the library and the files of the folder. */
export interface Welcome {
  kind: "Welcome";
  version: string;
  folder: string;
  files: string[];
  trusted: boolean;
  first: string;
  library: ClassShape[];
}

/** A run as text; whatever the text does not say is empty. */
export interface ScriptRun {
  kind: "ScriptRun";
  cls: string;
  stop: string;
  model: string;
  options: Record<string, string>;
}

/** The centre of a part, and how it is turned: a multiple of 90 degrees (clockwise), then mirrored or not. */
export interface Place {
  kind: "Place";
  x: number;
  y: number;
  turned: string;
  note: string;
}

/** A part, or a port of the class itself (`port`); `fixed` says why the text of it cannot be edited here. */
export interface Part {
  kind: "Part";
  name: string;
  cls: string;
  written: string;
  arguments: Record<string, string>;
  line: number;
  place: Place;
  port: boolean;
  fixed: string;
  count: string;
  condition: string;
}

/** A connection: the paths of its ends, as `motor.p`; `fixed` as for parts. */
export interface Wire {
  kind: "Wire";
  number: number;
  ends: string[];
  line: number;
  fixed: string;
  equation: string;
}

/** A text on the sheet; its name is `#1`, `#2`, ... */
export interface Note {
  kind: "Note";
  name: string;
  place: Place;
}

/** One class of a file. `shapes` are those of classes that are not in the library. */
export interface Diagram {
  kind: "Diagram";
  cls: string;
  headline: string;
  parts: Part[];
  wires: Wire[];
  parameters: ParameterShape[];
  shapes: Record<string, ClassShape>;
  notes: Note[];
}

/** A document as it is now. */
export interface State {
  kind: "State";
  path: string;
  cls: string;
  classes: string[];
  revision: number;
  dirty: boolean;
  can_undo: boolean;
  can_redo: boolean;
  runnable: boolean;
  text: string;
  script: ScriptRun;
  as_script: boolean;
  diagram: Diagram;
}

/** The characters from `start` up to, not including, `end` become `text`. */
export interface TextChange {
  kind: "TextChange";
  start: number;
  end: number;
  text: string;
}

/** What is different since the revision `before`; a page that has another one opens the document again. */
export interface Edited {
  kind: "Edited";
  path: string;
  before: number;
  revision: number;
  dirty: boolean;
  can_undo: boolean;
  can_redo: boolean;
  text: TextChange;
  parts: Part[];
  gone: string[];
  order: string[];
  wires: Wire[];
  wire_count: number;
  notes: Note[];
}

/** The files of the folder and whether their code may be run. */
export interface Files {
  kind: "Files";
  files: string[];
  trusted: boolean;
}

/** Parts from files of the folder, beside those of the library; `notes` are about files that cannot be read. */
export interface FolderClasses {
  kind: "FolderClasses";
  shapes: ClassShape[];
  notes: string[];
}

/** A button: what it does in words, and the operation. */
export interface Fix {
  kind: "Fix";
  words: string;
  operation: AddPart | AddConnected | PutBetween | ReplaceText | RemoveParts | RenamePart | SetArgument | SetParameter | Connect | Disconnect | MoveParts | TurnPart | PasteParts | ReplacePart | Propagate | SetStart | SetCount | SetCondition | GroupParts | SetNote;
}

/** An error or a warning: the text that Python shows, and the paths of parts and ports that it is about. */
export interface Diagnostic {
  kind: "Diagnostic";
  code: string;
  message: string;
  details: string[];
  advice: string;
  line: number;
  warning: boolean;
  about: string[];
  fixes: Fix[];
}

/** A port of a part that was built: `role` is port, input or output, `type` the connector. */
export interface MadePort {
  kind: "MadePort";
  name: string;
  role: string;
  type: string;
}

/** A child of the model that was built; an array is one part. */
export interface MadePart {
  kind: "MadePart";
  name: string;
  cls: string;
  ports: MadePort[];
  line: number;
}

/** What a model has once it is built: all of its children, and pairs of ports that are connected. */
export interface Structure {
  kind: "Structure";
  parts: MadePart[];
  pairs: string[][];
}

/** The outcome of a check: `ok` if the model can be run. */
export interface Checked {
  kind: "Checked";
  ok: boolean;
  diagnostics: Diagnostic[];
  summary: string;
  stop: number;
  structure: Structure;
  same_structure: boolean;
  is_part: boolean;
  has_scene: boolean;
}

/** The check of a revision. */
export interface CheckEnded {
  kind: "CheckEnded";
  path: string;
  revision: number;
  checked: Checked;
}

/** How far a run is, between 0 and 1. */
export interface Progress {
  kind: "Progress";
  fraction: number;
}

/** How far a run is. */
export interface RunProgress {
  kind: "RunProgress";
  path: string;
  progress: Progress;
}

/** The values of a variable at the times of a run, as doubles in base64. */
export interface Curve {
  kind: "Curve";
  path: string;
  unit: string;
  values: string;
}

/** A parameter that can be changed between runs. */
export interface Quantity {
  kind: "Quantity";
  path: string;
  value: number;
  unit: string;
}

/** The outcome of a run and the curves that were asked for. What there is else is listed for a page that has no list */
export interface Simulated {
  kind: "Simulated";
  ok: boolean;
  outcome: string;
  diagnostics: Diagnostic[];
  seconds: number;
  times: string;
  curves: Curve[];
  names: string[];
  states: string[];
  events: string;
  parameters: Quantity[];
  thin: boolean;
  listing: number;
}

/** The outcome of a run. */
export interface RunEnded {
  kind: "RunEnded";
  path: string;
  revision: number;
  number: number;
  simulated: Simulated;
}

/** Curves of a run; no times where another run has taken its place. */
export interface CurvesRead {
  kind: "CurvesRead";
  number: number;
  times: string;
  curves: Curve[];
}

/** Curves of a run, or nothing where another page has run the model since. */
export interface CurvesAnswer {
  kind: "CurvesAnswer";
  path: string;
  read: CurvesRead;
}

/** A class: its text and its equations; `starts` are variables that these differentiate, declared without a start */
export interface Described {
  kind: "Described";
  cls: string;
  text: string;
  usage: string;
  equations: string[];
  starts: VariableShape[];
}

/** A part that can be bought: what is put on the sheet, and what it is known for. */
export interface RealizedPart {
  kind: "RealizedPart";
  name: string;
  member: string;
  cls: string;
  interface: string;
  arguments: Record<string, string>;
  facts: string;
  source: string;
}

/** Parts of the catalogue, the first of `count`; `problem` where a condition cannot be read. */
export interface PartsFound {
  kind: "PartsFound";
  search: string;
  parts: RealizedPart[];
  count: number;
  problem: string;
}

/** Another program has written a file that has unsaved changes here, and `both` changed these statements; or what it */
export interface ChangedOnDisk {
  kind: "ChangedOnDisk";
  path: string;
  both: string[];
  usable: boolean;
}

/** Another program has written a file that has unsaved changes here: the document has the changes of both now. */
export interface Merged {
  kind: "Merged";
  path: string;
}

/** A text beside a part of the sheet. */
export interface Mark {
  kind: "Mark";
  path: string;
  text: string;
}

/** An edge of the linear graph, between two vertices; branches form the tree. */
export interface GraphEdge {
  kind: "GraphEdge";
  label: string;
  component: string;
  domain: string;
  tail: string;
  head: string;
  branch: boolean;
}

/** A page of text; marks and edges are drawn on the sheet. */
export interface Explained {
  kind: "Explained";
  what: string;
  text: string;
  marks: Mark[];
  edges: GraphEdge[];
}

/** The relative sensitivity to a parameter: by how many percent the curve changes for one percent. */
export interface Bar {
  kind: "Bar";
  path: string;
  relative: number;
}

/** Relative sensitivities, the largest first. */
export interface SensitivitiesFound {
  kind: "SensitivitiesFound";
  of: string;
  bars: Bar[];
}

/** The result of a design: what was found as text, the numbers for plots, and values that can be applied. */
export interface Table {
  kind: "Table";
  title: string;
  columns: string[];
  rows: string[][];
  numbers: number[][];
  values: Record<string, number>;
}

/** What was found for a question. */
export interface Answered {
  kind: "Answered";
  path: string;
  found: Explained | SensitivitiesFound | Table;
}

/** A page that was written, under an address of this server that nobody can guess. */
export interface PageReady {
  kind: "PageReady";
  path: string;
  what: string;
  address: string;
}

/** A script of Python. */
export interface ScriptText {
  kind: "ScriptText";
  path: string;
  text: string;
}

/** What a script has printed since the last message. */
export interface Printed {
  kind: "Printed";
  text: string;
}

/** What the script of a file has printed since the last message. */
export interface ScriptPrinted {
  kind: "ScriptPrinted";
  path: string;
  printed: Printed;
}

/** A run that a script made, in words, and the line that asked for it. */
export interface MadeRun {
  kind: "MadeRun";
  label: string;
  line: number;
}

/** A script has ended: all that it printed, its runs, and its figures as PNG in base64. */
export interface ScriptRan {
  kind: "ScriptRan";
  ok: boolean;
  diagnostics: Diagnostic[];
  seconds: number;
  text: string;
  runs: MadeRun[];
  more: number;
  figures: string[];
}

/** The script of a file has ended; the diagnostics are placed on the sheet. */
export interface ScriptEnded {
  kind: "ScriptEnded";
  path: string;
  ran: ScriptRan;
  diagnostics: Diagnostic[];
}

/** A request that could not be carried out. */
export interface Failed {
  kind: "Failed";
  diagnostic: Diagnostic;
}

export type Request = Hello | Open | New | Trust | Edit | Undo | Redo | Save | Reload | AsScript | Describe | FindParts | Run | Curves | Cancel | Ask | Script | StartScript | ShowRun;

export type Answer = Welcome | State | Edited | Files | FolderClasses | CheckEnded | RunProgress | RunEnded | CurvesAnswer | Described | PartsFound | ChangedOnDisk | Merged | Answered | PageReady | ScriptText | ScriptPrinted | ScriptEnded | Failed;
